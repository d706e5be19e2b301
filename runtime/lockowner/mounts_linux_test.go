package lockowner

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mountsVariable is set in a test program that has its mounts for itself: they
// vanish with it, however it ends.
const mountsVariable = "LOCKOWNER_TEST_OWN_MOUNTS"

// inOwnMounts runs the test that calls it once more, in a mount namespace of
// its own, and reports whether this is that run.
func inOwnMounts(t *testing.T) bool {
	if os.Getenv(mountsVariable) == "1" {
		return true
	}
	again := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), mountsVariable+"=1")
	again.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := again.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("mounting needs a privilege: ", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if bytes.Contains(out, []byte("--- SKIP")) {
		t.Skipf("%s", out)
	}
	return false
}

func mount(t *testing.T, source, target, kind, options string) {
	t.Helper()
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(source, target, kind, 0, options); err != nil {
		t.Skipf("mounting %s: %v", kind, err)
	}
	t.Cleanup(func() { unix.Unmount(target, unix.MNT_DETACH) })
}

// wantHolder checks that Find names the locker of file and nobody else.
func wantHolder(t *testing.T, file string, pid int, candidate bool) {
	t.Helper()
	holders := mustFind(t, file).Holders
	if len(holders) != 1 || holders[0].PID != pid || holders[0].Candidate != candidate {
		t.Errorf("%v, want pid %d alone (candidate: %v)", holders, pid, candidate)
	}
}

func deviceNumbers(t *testing.T, file string) (stat, mount device) {
	t.Helper()
	targets, err := identify([]string{file})
	if err != nil || len(targets) != 1 {
		t.Fatal(targets, err)
	}
	return targets[0].device, targets[0].mount
}

func TestALockOnAnOverlay(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	for name, lowerIsElsewhere := range map[string]bool{"one file system below": false, "two": true} {
		dir := t.TempDir()
		lower, upper, work, merged := dir+"/lower", dir+"/upper", dir+"/work", dir+"/merged"
		for _, layer := range []string{lower, upper, work} {
			if err := os.Mkdir(layer, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if lowerIsElsewhere {
			mount(t, "tmpfs", lower, "tmpfs", "")
		}
		newFile(t, lower+"/old.db")
		mount(t, "overlay", merged, "overlay", fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work))
		newFile(t, merged+"/new.db")
		for _, file := range []string{merged + "/old.db", merged + "/new.db"} {
			stat, mount := deviceNumbers(t, file)
			t.Logf("%s, %s: device %v to stat, %v to the mount", name, filepath.Base(file), stat, mount)
			locker := startLocker(t, "posix", file, 0x40000001, 1)
			wantHolder(t, file, locker.Process.Pid, false)
		}
	}
}

func TestALockOnBtrfs(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	root := mountBtrfs(t)
	var files []string
	for _, subvolume := range []string{"one", "other"} {
		if out, err := exec.Command("btrfs", "subvolume", "create", root+"/"+subvolume).CombinedOutput(); err != nil {
			t.Skipf("making a subvolume: %v\n%s", err, out)
		}
		files = append(files, newFile(t, root+"/"+subvolume+"/state.db"))
	}
	one, other := files[0], files[1]
	if stat, mount := deviceNumbers(t, one); stat == mount {
		t.Fatalf("the subvolume has the device of its superblock, %v", stat)
	}
	if a, b := inode(t, one), inode(t, other); a != b {
		t.Fatalf("the files were to have one inode number, they have %d and %d", a, b)
	}
	t.Setenv(alsoOpenVariable, other) // it uses both, and locks one
	locker := startLocker(t, "posix", one, 0x40000001, 1)
	wantHolder(t, one, locker.Process.Pid, false)
	if holders := mustFind(t, other).Holders; len(holders) != 0 {
		t.Errorf("a file of the same number in another subvolume: %v", holders)
	}

	startLocker(t, "ofd", other, 0x40000000, 1) // whose file cannot be proven
	got := mustFind(t, other).String()
	if want := "candidate: a process whose pid the kernel does not export (OFD lock) may hold PENDING on state.db"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func mountBtrfs(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("mkfs.btrfs"); err != nil {
		missing(t, "mkfs.btrfs", err)
	}
	dir := t.TempDir()
	image, root := dir+"/image", dir+"/root"
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Truncate(image, 128<<20), os.Mkdir(root, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"mkfs.btrfs -q " + image, "mount -o loop " + image + " " + root} {
		words := strings.Fields(command)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", command, err, out)
		}
	}
	t.Cleanup(func() { unix.Unmount(root, unix.MNT_DETACH) })
	return root
}

func inode(t *testing.T, file string) uint64 {
	t.Helper()
	var stat syscall.Stat_t
	if err := syscall.Stat(file, &stat); err != nil {
		t.Fatal(err)
	}
	return stat.Ino
}
