package status_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/status"
)

// A process is the test binary as another program.
type process struct {
	*exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func startProgram(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), program+"="+name)
	p.Stderr = os.Stderr
	var err error
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewScanner(stdout)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *process) end(t *testing.T) {
	t.Helper()
	p.stdin.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %v", p.Args, err)
	}
}

// runCounter publishes 1 to n at paths of its own, some of them inside objects
// that it shares, and stays until standard input ends.
func runCounter() {
	path, name := os.Args[1], os.Args[2]
	n, _ := strconv.Atoi(os.Args[3])
	w := status.New(path, status.WithProcess(name+"/process"), status.WithDurability(status.Fast),
		status.WithInterval(time.Millisecond), status.WithRecheck(20*time.Millisecond))
	for i := 1; i <= n; i++ {
		fields := []status.Field{status.Int(name+"/n", i), status.Int("shared/"+name, i), status.Int("deep/er/"+name+"/n", i)}
		if i%10 > 0 {
			w.Publish(fields...)
		} else if err := w.Write(context.Background(), fields...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Println("done")
	io.Copy(io.Discard, os.Stdin)
	if err := w.Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Two processes with this package, and a program that has never heard of it:
// it reads the file, changes its own fields and replaces the file, without a
// lock and as fast as it can.
func TestTwoProcessesAndAnEditorLoseNothingThatWasLast(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("without an atomic exchange, what an editor writes in one moment is lost, as documented")
	}
	n := campaign(500, 10_000)
	path := filepath.Join(t.TempDir(), "status.json")
	names := []string{"first", "second"}
	var writers []*process
	for _, name := range names {
		writers = append(writers, startProgram(t, "counter", path, name, strconv.Itoa(n)))
	}
	for i := range n {
		edit(t, path, i+1)
	}
	for _, w := range writers {
		if !w.lines.Scan() || w.lines.Text() != "done" {
			t.Fatalf("a writer says %q, %v", w.lines.Text(), w.lines.Err())
		}
	}
	eventually(t, func() error {
		return expect(path, n, "first/n", "second/n", "shared/first", "shared/second",
			"deep/er/first/n", "deep/er/second/n", "editor", "shared/editor", "deep/er/editor/n")
	})
	document, err := status.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if id, err := document.Process(name + "/process"); err != nil || id.PID != writers[i].Process.Pid || id.State() != procid.Alive {
			t.Errorf("the file says %v about %s, %v", id, name, err)
		}
		writers[i].end(t)
	}
	if err := expect(path, n, "first/n", "editor", "shared/second"); err != nil {
		t.Errorf("after the end: %v", err)
	}
	only(t, path, "status.json", ".status.json.lock")
}

// edit does to the file what an editor does, with encoding/json.
func edit(t *testing.T, path string, n int) {
	t.Helper()
	root := map[string]any{}
	if text, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatalf("the file is not whole: %v\n%s", err, text)
		}
	}
	root["editor"] = n
	object(root, "shared")["editor"] = n
	object(root, "deep", "er", "editor")["n"] = n
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"~", text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

func object(root map[string]any, names ...string) map[string]any {
	for _, name := range names {
		next, ok := root[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			root[name] = next
		}
		root = next
	}
	return root
}

func expect(path string, n int, fields ...string) error {
	document, err := status.Read(path)
	if err != nil {
		return err
	}
	for _, field := range fields {
		var got int
		if err := document.Decode(field, &got); err != nil {
			return err
		}
		if got != n {
			return fmt.Errorf("%s is %d, want %d, in %s", field, got, n, document)
		}
	}
	return nil
}

// runVictim writes numbers that grow, each in two fields, until it is killed.
func runVictim() {
	w := status.New(os.Args[1], status.WithInterval(time.Millisecond))
	first, _ := strconv.Atoi(os.Args[2])
	padding := strings.Repeat("x", 20_000)
	for i := first; ; i++ {
		err := w.Write(context.Background(), status.Int("n", i), status.String("padding", padding), status.Int("last/n", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if i == first {
			fmt.Println("writing")
		}
	}
}

func TestKilledWriterLeavesAWholeFile(t *testing.T) {
	folder := t.TempDir()
	path, controlPath := filepath.Join(folder, "status.json"), filepath.Join(folder, "control.json")
	put(t, path, `{"operator":"do not touch","n":0,"last":{"n":0}}`)

	// The control: a writer beside it that nobody kills.
	control := startProgram(t, "counter", controlPath, "control", "100")
	if !control.lines.Scan() {
		t.Fatal("the control does not write")
	}

	last := 0
	for range campaign(30, 500) {
		victim := startProgram(t, "victim", path, strconv.Itoa(last+1))
		if !victim.lines.Scan() {
			victim.Process.Kill()
			t.Fatalf("the victim does not write: %v", victim.Wait())
		}
		time.Sleep(rand.N(15 * time.Millisecond))
		victim.Process.Kill()
		victim.Wait()

		document, err := status.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Operator string
			N        int
			Last     struct{ N int }
		}
		if err := document.Decode("", &file); err != nil {
			t.Fatal(err)
		}
		if file.N <= last || file.N != file.Last.N || file.Operator != "do not touch" {
			t.Fatalf("after %d the file has %d and %d, operator %q", last, file.N, file.Last.N, file.Operator)
		}
		if id, err := document.Process(status.DefaultProcess); err != nil || id.PID != victim.Process.Pid || id.State() != procid.Gone {
			t.Fatalf("the file says %v (%v) about a killed process, %v", id, id.State(), err)
		}
		last = file.N
	}
	t.Logf("%d writes", last)

	if err := expect(controlPath, 100, "control/n"); err != nil {
		t.Error(err)
	}
	document, err := status.Read(controlPath)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := document.Process("control/process"); err != nil || id.State() != procid.Alive {
		t.Errorf("the control is not alive: %v, %v", id, err)
	}
	control.end(t)
	write(t, path, status.Int("n", -1))
	only(t, path, "status.json", ".status.json.lock", "control.json", ".control.json.lock")
}

// What another puts in the file's place between the last look and the exchange
// is returned and not lost.
func TestSwapReturnsWhatItDisplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	swap := func(text string, expected []byte) ([]byte, error) {
		staged, err := atomicfile.Stage(path, []byte(text), atomicfile.SyncNone)
		if err != nil {
			t.Fatal(err)
		}
		defer staged.Discard()
		return staged.Swap(expected)
	}
	if got, err := swap("one", nil); got != nil || err != nil {
		t.Fatalf("the first: %q, %v", got, err)
	}
	if _, err := swap("two", nil); !errors.Is(err, atomicfile.ErrChanged) || content(t, path) != "one" {
		t.Errorf("a file where none was expected: %v, now %s", err, content(t, path))
	}
	put(t, path, "theirs")
	got, err := swap("two", []byte("one"))
	switch {
	case errors.Is(err, atomicfile.ErrChanged):
		if content(t, path) != "theirs" {
			t.Error("refused, and replaced nevertheless")
		}
	case string(got) != "theirs" || content(t, path) != "two":
		t.Errorf("displaced %q, %v; now %s", got, err, content(t, path))
	}
	os.Remove(path)
	if _, err := swap("three", []byte("two")); !errors.Is(err, atomicfile.ErrChanged) {
		t.Errorf("a file that is gone: %v", err)
	}
	only(t, path)
}
