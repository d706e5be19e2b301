package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// kinds are all there are.
var kinds = map[string]atomicfile.Sync{
	"SyncFile": atomicfile.SyncFile, "SyncNone": atomicfile.SyncNone, "SyncFolder": atomicfile.SyncFolder,
}

func TestWriteReplacesTheWholeFile(t *testing.T) {
	for name, sync := range kinds {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			for _, text := range []string{"the first, which is the longest", "", "the third"} {
				if err := atomicfile.Write(path, []byte(text), sync); err != nil {
					t.Fatal(err)
				}
				wants(t, path, text)
			}
			holds(t, filepath.Dir(path), "file")
		})
	}
}

// A path without a folder is in the working directory, and so is its temporary file.
func TestThePathMayHaveNoFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := atomicfile.Write("file", []byte("text"), atomicfile.SyncFolder); err != nil {
		t.Fatal(err)
	}
	holds(t, ".", "file")
	write(t, ".file.123.tmp", "left behind")
	atomicfile.Tidy("file")
	holds(t, ".", "file")
}

// Whoever has the old file open reads the old content to its end.
func TestAReaderKeepsWhatItOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its place there")
	}
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "old")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := atomicfile.Write(path, []byte("new"), atomicfile.SyncFile); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 10)
	if n, err := file.Read(got); err != nil || string(got[:n]) != "old" {
		t.Errorf("read %q, %v", got[:n], err)
	}
}

// Of many at once, one is the last, and all of it is.
func TestManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var running sync.WaitGroup
	for letter := 'a'; letter <= 'p'; letter++ {
		running.Go(func() {
			if err := atomicfile.Write(path, []byte(strings.Repeat(string(letter), 10_000)), atomicfile.SyncNone); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	text := read(t, path)
	if len(text) != 10_000 || strings.Trim(text, text[:1]) != "" {
		t.Errorf("%d bytes of several writers", len(text))
	}
	holds(t, filepath.Dir(path), "file")
}

func TestAFailureLeavesTheOldFileAndNoOther(t *testing.T) {
	t.Run("there is no folder", func(t *testing.T) {
		dir := t.TempDir()
		err := atomicfile.Write(filepath.Join(dir, "none", "file"), nil, atomicfile.SyncFile)
		fails(t, err, "making a temporary file")
		holds(t, dir)
	})
	t.Run("the path is a folder with something in it", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		write(t, filepath.Join(path, "inner"), "theirs")
		fails(t, atomicfile.Write(path, []byte("ours"), atomicfile.SyncFile), "replacing the file")
		holds(t, dir, "file")
		wants(t, filepath.Join(path, "inner"), "theirs")
	})
	t.Run("the file was staged and is not wanted", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		write(t, path, "old")
		staged, err := atomicfile.Stage(path, []byte("new"), atomicfile.SyncNone)
		if err != nil {
			t.Fatal(err)
		}
		staged.Discard()
		wants(t, path, "old")
		holds(t, filepath.Dir(path), "file")
	})
}

func TestASymbolicLinkIsReplaced(t *testing.T) {
	for name, put := range map[string]func(path string, data []byte) error{
		"Write": func(path string, data []byte) error { return atomicfile.Write(path, data, atomicfile.SyncFile) },
		"Swap": func(path string, data []byte) error {
			staged, err := atomicfile.Stage(path, data, atomicfile.SyncFile)
			if err != nil {
				return err
			}
			defer staged.Discard()
			_, err = staged.Swap([]byte("old"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			target, path := filepath.Join(dir, "target"), filepath.Join(dir, "linked", "file")
			write(t, target, "old")
			if err := os.MkdirAll(filepath.Join(dir, "real"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("real", filepath.Join(dir, "linked")); err != nil {
				t.Skip(err)
			}
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			if err := put(path, []byte("new")); err != nil {
				t.Fatal(err)
			}
			wants(t, target, "old")
			wants(t, filepath.Join(dir, "real", "file"), "new") // a link to the folder is followed
			if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
				t.Errorf("at the path: %v, %v", info, err)
			}
			holds(t, filepath.Join(dir, "real"), "file")
		})
	}
}

// Info is that of the file in its place, by which one knows later whether it still
// is there.
func TestInfoIsOfTheFileInItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	staged, err := atomicfile.Stage(path, []byte("text"), atomicfile.SyncFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := staged.Replace(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(info, staged.Info()) || info.Size() != staged.Info().Size() {
		t.Errorf("%v is not %v", staged.Info(), info)
	}
	if err := atomicfile.Write(path, []byte("text"), atomicfile.SyncFile); err != nil {
		t.Fatal(err)
	}
	if info, err = os.Stat(path); err != nil || os.SameFile(info, staged.Info()) {
		t.Errorf("another one is taken for it: %v", err)
	}
}

func TestTidyRemovesTemporaryFilesAlone(t *testing.T) {
	dir := t.TempDir()
	ours := []string{".file.1.tmp", ".file.4294967295.tmp"}
	theirs := []string{"file", ".file.tmp", ".file..tmp", ".file.x.tmp", ".file.1.tmp.bak", ".file2.1.tmp", "file.1.tmp", ".other.1.tmp"}
	for _, name := range slices.Concat(ours, theirs) {
		write(t, filepath.Join(dir, name), name)
	}
	atomicfile.Tidy(filepath.Join(dir, "file"))
	holds(t, dir, theirs...)
	atomicfile.Tidy(filepath.Join(dir, "none", "file")) // nothing to do
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func wants(t *testing.T, path, want string) {
	t.Helper()
	if got := read(t, path); got != want {
		t.Errorf("%s has %.40q, want %.40q", filepath.Base(path), got, want)
	}
}

func fails(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// holds checks that a folder has exactly these entries.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if !slices.EqualFunc(entries, want, func(e fs.DirEntry, name string) bool { return e.Name() == name }) {
		t.Errorf("the folder has %v, want %q", entries, want)
	}
}
