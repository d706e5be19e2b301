//go:build unix

package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

func TestTheModeIsThatOfItsOwnerAlone(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077, 0o277, 0o777} {
		for _, before := range []fs.FileMode{0, 0o644, 0o400} {
			path := filepath.Join(t.TempDir(), "file")
			if before != 0 {
				write(t, path, "old")
				if err := os.Chmod(path, before); err != nil {
					t.Fatal(err)
				}
			}
			old := syscall.Umask(umask)
			err := atomicfile.Write(path, []byte("new"), atomicfile.SyncNone)
			syscall.Umask(old)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode() != 0o600 {
				t.Errorf("umask %#o, a file of %v before: %v", umask, before, info.Mode())
			}
		}
	}
}
