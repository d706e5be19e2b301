package atomicfile_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// asFullDisk names the folder over which the test, in a name space of its own,
// mounts a file system that is full.
const asFullDisk = "HOLDFAST_TEST_FULL_DISK"

func TestAFullDiskLeavesTheOldFileAndNoOther(t *testing.T) {
	if dir := os.Getenv(asFullDisk); dir != "" {
		t.Run("no room for the content", func(t *testing.T) { fillsUp(t, dir, "size=64k", "writing a temporary file") })
		t.Run("no room for a file", func(t *testing.T) { fillsUp(t, dir, "nr_inodes=2", "making a temporary file") })
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAFullDiskLeavesTheOldFileAndNoOther$", "-test.v")
	cmd.Env = append(os.Environ(), asFullDisk+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	notAllowed := err != nil && !errors.As(err, &exit) || bytes.Contains(out, []byte("--- SKIP"))
	switch {
	case notAllowed && os.Getenv("HOLDFAST_E2E") != "1":
		t.Skipf("mounting is not allowed here: %v", err)
	case notAllowed || err != nil:
		t.Errorf("%v\n%s", err, out)
	}
}

func fillsUp(t *testing.T, dir, options, want string) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	path := filepath.Join(dir, "file")
	write(t, path, "old")
	err := atomicfile.Write(path, make([]byte, 1<<20), atomicfile.SyncFile)
	fails(t, err, want)
	if !errors.Is(err, unix.ENOSPC) {
		t.Errorf("the error does not tell why: %v", err)
	}
	wants(t, path, "old")
	holds(t, dir, "file")
}
