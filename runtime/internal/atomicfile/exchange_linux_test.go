package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// What stands at the path and cannot be returned is not lost, and not waited for.
func TestSwapPutsBackWhatItCannotRead(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a folder":          func(path string) error { return os.Mkdir(path, 0o700) },
		"a named pipe":      func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a link to nowhere": func(path string) error { return os.Symlink("nowhere", path) },
		"a file too large": func(path string) error {
			file, err := os.Create(path)
			if err != nil {
				return err
			}
			defer file.Close()
			return file.Truncate(64<<20 + 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			staged, err := atomicfile.Stage(path, []byte("new"), atomicfile.SyncNone)
			if err != nil {
				t.Fatal(err)
			}
			_, err = staged.Swap([]byte("old"))
			staged.Discard()
			fails(t, err, "reading the replaced file")
			if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
				t.Errorf("what was there is gone: %v, %v", after, err)
			}
			holds(t, filepath.Dir(path), "file")
		})
	}
}
