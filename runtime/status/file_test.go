package status_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/status"
)

// write has a Writer lay fields over the file and end, and returns its log.
func write(t *testing.T, path string, fields ...status.Field) string {
	t.Helper()
	var log bytes.Buffer
	w := status.New(path, status.WithProcess(""), status.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if err := w.Close(t.Context(), fields...); err != nil {
		t.Fatal(err)
	}
	return log.String()
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func TestFieldsOfOthersSurvive(t *testing.T) {
	tests := map[string]struct{ before, after string }{
		"no file":                       {"", `{"platforms":{"telegram":{"state":"connected"}},"n":1}`},
		"unknown fields":                {`{"desired_state":"running","n":0}`, `{"desired_state":"running","n":1,"platforms":{"telegram":{"state":"connected"}}}`},
		"inside a shared object":        {`{"platforms":{"slack":{"state":"x"},"telegram":{"writer":7}}}`, `{"platforms":{"slack":{"state":"x"},"telegram":{"writer":7,"state":"connected"}},"n":1}`},
		"numbers to the digit":          {`{"id":12345678901234567890,"f":1.50}`, `{"id":12345678901234567890,"f":1.50,"platforms":{"telegram":{"state":"connected"}},"n":1}`},
		"a pretty file":                 {"{\n  \"a\": [1, 2],\n  \"n\": 2\n}\n", `{"a":[1,2],"n":1,"platforms":{"telegram":{"state":"connected"}}}`},
		"a value where an object is to": {`{"platforms":"none"}`, `{"platforms":{"telegram":{"state":"connected"}},"n":1}`},
		"a name given twice":            {`{"n":5,"n":6}`, `{"n":1,"platforms":{"telegram":{"state":"connected"}}}`},
		"an empty file":                 {" \n", `{"platforms":{"telegram":{"state":"connected"}},"n":1}`},
		"a byte order mark":             {"\ufeff{\"a\":1}", `{"a":1,"platforms":{"telegram":{"state":"connected"}},"n":1}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "status.json")
			if test.before != "" {
				put(t, path, test.before)
			}
			log := write(t, path, status.String("platforms/telegram/state", "connected"), status.Int("n", 1))
			if got := content(t, path); got != test.after {
				t.Errorf("\n got %s\nwant %s", got, test.after)
			}
			if log != "" {
				t.Errorf("log: %s", log)
			}
			if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", info.Mode())
			}
			only(t, path, "status.json", ".status.json.lock")
		})
	}
}

// only fails the test if the folder has other files.
func only(t *testing.T, path string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(names, entry.Name()) {
			t.Errorf("left behind: %s", entry.Name())
		}
	}
}

func TestCorruptFilesAreKeptAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	corrupt := []string{`{"a":1`, `[1,2]`, "\x00\x00\x00"}
	for i, text := range corrupt {
		put(t, path, text)
		log := write(t, path, status.Int("n", i))
		if got, want := content(t, path), fmt.Sprintf(`{"n":%d}`, i); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if strings.Count(log, "level=WARN") != 1 || !strings.Contains(log, "kept") {
			t.Errorf("log: %s", log)
		}
	}
	for i, name := range []string{".corrupt", ".corrupt.2", ".corrupt.3"} {
		if got := content(t, path+name); got != corrupt[i] {
			t.Errorf("%s has %q, want %q", name, got, corrupt[i])
		}
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	folder := t.TempDir()
	tests := map[string]struct {
		make func(path string)
		want error
	}{
		"no folder":          {func(path string) { os.Remove(filepath.Dir(path)) }, fs.ErrNotExist},
		"a folder":           {func(path string) { os.Mkdir(path, 0o700) }, nil},
		"a file of 17 MiB":   {func(path string) { put(t, path, strings.Repeat(" ", 17<<20)) }, status.ErrTooLarge},
		"a link to nowhere":  {func(path string) { os.Symlink(filepath.Join(folder, "nowhere"), path) }, fs.ErrNotExist},
		"a link in a circle": {func(path string) { os.Symlink(path, path) }, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "status.json")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			test.make(path)
			before, _ := os.Lstat(path)
			w := status.New(path, status.WithLogger(slog.New(slog.DiscardHandler)))
			err := w.Close(t.Context(), status.Int("n", 1))
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("Close: %v", err)
			}
			after, _ := os.Lstat(path)
			if before != nil && !os.SameFile(before, after) {
				t.Error("what was there has been replaced")
			}
		})
	}
}

func TestLinkIsFollowed(t *testing.T) {
	folder := t.TempDir()
	real, link := filepath.Join(folder, "real.json"), filepath.Join(folder, "link.json")
	put(t, real, `{"a":1}`)
	if err := os.Symlink("real.json", link); err != nil {
		t.Skip(err)
	}
	write(t, link, status.Int("n", 1))
	if got := content(t, real); got != `{"a":1,"n":1}` {
		t.Errorf("the target has %s", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link has been replaced")
	}
}

func TestLeftoversOfKilledWritersAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	put(t, filepath.Join(filepath.Dir(path), ".status.json.123456.tmp"), "{")
	kept := []string{".other.json.123456.tmp", ".status.json.backup.tmp", "status.json.tmp"}
	for _, name := range kept {
		put(t, filepath.Join(filepath.Dir(path), name), "{")
	}
	write(t, path, status.Int("n", 1))
	only(t, path, append(kept, "status.json", ".status.json.lock")...)
	for _, name := range kept {
		content(t, filepath.Join(filepath.Dir(path), name))
	}
}

func TestChangedAndRemovedFilesAreRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	w := status.New(path, status.WithProcess(""), status.WithRecheck(10*time.Millisecond))
	defer w.Close(context.Background())
	if err := w.Write(t.Context(), status.Int("n", 1)); err != nil {
		t.Fatal(err)
	}
	put(t, path, `{"n":0,"theirs":2}`)
	eventually(t, func() error { return contains(path, `{"n":1,"theirs":2}`) })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { return contains(path, `{"n":1}`) })
}

func contains(path, want string) error {
	text, err := os.ReadFile(path)
	if err == nil && strings.TrimSpace(string(text)) != want {
		err = fmt.Errorf("%s has %s, want %s", path, text, want)
	}
	return err
}

// eventually waits until check finds nothing to say, 30 s at most.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	err := check()
	for deadline := time.Now().Add(30 * time.Second); err != nil && time.Now().Before(deadline); err = check() {
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMillionPublishesLoseNothingThatWasLast(t *testing.T) {
	const goroutines, each = 8, 125_000
	path := filepath.Join(t.TempDir(), "status.json")
	w := status.New(path, status.WithInterval(time.Millisecond), status.WithDurability(status.Fast))
	var wait sync.WaitGroup
	for g := range goroutines {
		own, deep := fmt.Sprint("worker", g), fmt.Sprintf("workers/%d/n", g)
		wait.Go(func() {
			for i := range each {
				w.Publish(status.Int(own, i), status.Int(deep, -i))
			}
		})
	}
	wait.Wait()
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	document, err := status.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for g := range goroutines {
		var own, deep int
		err := errors.Join(document.Decode(fmt.Sprint("worker", g), &own), document.Decode(fmt.Sprintf("workers/%d/n", g), &deep))
		if err != nil || own != each-1 || deep != 1-each {
			t.Errorf("goroutine %d: %d and %d are in the file, %v", g, own, deep, err)
		}
	}
}

func TestDocumentSaysWhoWroteIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	if _, err := status.Read(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	w := status.New(path)
	if err := w.Close(t.Context(), status.Int("a/n", 7)); err != nil {
		t.Fatal(err)
	}
	document, err := status.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	id, err := document.Process(status.DefaultProcess)
	if err != nil || id != procid.Self() || id.State() != procid.Alive {
		t.Errorf("process %v, %v", id, err)
	}
	var n int
	var all map[string]any
	if err := errors.Join(document.Decode("a/n", &n), document.Decode("", &all)); err != nil || n != 7 || len(all) != 2 {
		t.Errorf("got %v and %v, %v", n, all, err)
	}
	for _, path := range []string{"b", "a/m", "a/n/x"} {
		if err := document.Decode(path, &n); !errors.Is(err, status.ErrNoField) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := document.Decode("a", &n); err == nil || errors.Is(err, status.ErrNoField) {
		t.Errorf("an object as a number: %v", err)
	}
	put(t, path, "[]")
	if _, err := status.Read(path); !errors.Is(err, status.ErrNotObject) {
		t.Errorf("no object: %v", err)
	}
}
