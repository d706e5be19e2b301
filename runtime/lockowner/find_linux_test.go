package lockowner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// partVariable makes the test program play a part instead of testing.
const partVariable = "LOCKOWNER_TEST_PART"

// alsoOpenVariable names a file that a part has open without a lock.
const alsoOpenVariable = "LOCKOWNER_TEST_ALSO_OPEN"

// playPart locks what the variable names, says so, and waits for its input to
// end: "posix FILE START LENGTH" or "ofd FILE START LENGTH".
func playPart() bool {
	part := os.Getenv(partVariable)
	if part == "" {
		return false
	}
	var kind, file string
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if _, err := fmt.Sscan(part, &kind, &file, &lock.Start, &lock.Len); err != nil {
		panic(err)
	}
	setLock := unix.F_SETLK
	if kind == "ofd" {
		setLock = unix.F_OFD_SETLK
	}
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	if also := os.Getenv(alsoOpenVariable); also != "" {
		if _, err := os.Open(also); err != nil {
			panic(err)
		}
	}
	if err := unix.FcntlFlock(opened.Fd(), setLock, &lock); err != nil {
		panic(err)
	}
	fmt.Println("locked")
	io.Copy(io.Discard, os.Stdin)
	return true
}

// startLocker starts a process that holds the lock.
func startLocker(t *testing.T, kind, file string, start, length int64) *exec.Cmd {
	t.Helper()
	locker := exec.Command(os.Args[0], "--password=hunter2", "a b", "c\nd")
	locker.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d %d", partVariable, kind, file, start, length))
	input, err := locker.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := locker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	locker.Stderr = os.Stderr
	if err := locker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { input.Close(); locker.Wait() })
	if said, err := io.ReadAll(io.LimitReader(output, int64(len("locked\n")))); err != nil || string(said) != "locked\n" {
		t.Fatalf("the locker said %q, %v", said, err)
	}
	return locker
}

func newFile(t *testing.T, path string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustFind(t *testing.T, path string) Report {
	t.Helper()
	report, err := Find(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestTheCommandLineIsForTheLogAlone(t *testing.T) {
	file := newFile(t, filepath.Join(t.TempDir(), "state.db"))
	locker := startLocker(t, "posix", file, 0x40000001, 1)
	report := mustFind(t, file)
	if len(report.Holders) != 1 {
		t.Fatal(report)
	}
	pid := fmt.Sprintf("pid %d holds RESERVED on state.db", locker.Process.Pid)
	for _, text := range []string{report.String(), fmt.Sprintf("%v %+v %s", report, report, report.Holders[0])} {
		if !strings.Contains(text, pid) || strings.Contains(text, "hunter2") {
			t.Errorf("for an error: %q", text)
		}
	}
	logged := report.LogValue().String()
	if want := ` --password=hunter2 "a b" "c\nd"`; !strings.Contains(logged, pid) || !strings.Contains(logged, want) {
		t.Errorf("for the log: %q, want %q in it", logged, want)
	}
}

func TestAnOFDLockHasNoPID(t *testing.T) {
	file := newFile(t, filepath.Join(t.TempDir(), "state.db"))
	startLocker(t, "ofd", file, 0x40000000, 1)
	want := "a process whose pid the kernel does not export (OFD lock) holds PENDING on state.db"
	if got := mustFind(t, file).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever closes a descriptor of the file here drops the locks of this
// process, which it would then no longer see.
func TestFindLeavesTheLocksOfItsOwnProcess(t *testing.T) {
	file := newFile(t, filepath.Join(t.TempDir(), "state.db"))
	newFile(t, file+shmSuffix)
	for _, path := range []string{file, file + shmSuffix} {
		opened, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		lock := unix.Flock_t{Type: unix.F_WRLCK, Start: 120, Len: 1}
		if err := unix.FcntlFlock(opened.Fd(), unix.F_SETLK, &lock); err != nil {
			t.Fatal(err)
		}
	}
	want := fmt.Sprintf("pid %d (this process) holds byte 120 on state.db | pid %[1]d (this process) holds WAL write on state.db-shm", os.Getpid())
	for range 3 {
		if got := mustFind(t, file).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The kernel tells of every open(2), whoever does it and by whatever name.
func TestFindNeverOpensTheDatabase(t *testing.T) {
	file := newFile(t, filepath.Join(t.TempDir(), "state.db"))
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(watch)
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		newFile(t, file+suffix)
		if _, err := unix.InotifyAddWatch(watch, file+suffix, unix.IN_OPEN|unix.IN_CLOSE); err != nil {
			t.Fatal(err)
		}
		startLocker(t, "posix", file+suffix, 120, 1) // opens it
	}
	if !sawEvent(t, watch) {
		t.Fatal("the watch sees nothing")
	}
	if n := len(mustFind(t, file).Holders); n != 3 {
		t.Errorf("%d holders, want 3", n)
	}
	if sawEvent(t, watch) {
		t.Error("Find opened a file of the database")
	}
}

// sawEvent takes all events that there are.
func sawEvent(t *testing.T, watch int) bool {
	t.Helper()
	seen := false
	buffer := make([]byte, 4096)
	for {
		switch _, err := unix.Read(watch, buffer); {
		case errors.Is(err, unix.EAGAIN):
			return seen
		case err != nil:
			t.Fatal(err)
		}
		seen = true
	}
}

func TestAPassThatSkipsALockDoesNotHideIt(t *testing.T) {
	const one = "1: POSIX  ADVISORY  WRITE 42 08:01:131 1073741825 1073741825\n"
	const other = "2: POSIX  ADVISORY  WRITE 43 08:01:131 120 120\n"
	const renumbered = "1: POSIX  ADVISORY  WRITE 43 08:01:131 120 120\n"
	for _, seen := range [][]string{{one + other, one, one}, {one, other, one}, {"", one, one + other}, {renumbered, "", one + other}} {
		pass := 0
		rows, err := readRows(t.Context(), func() (string, error) { pass++; return seen[pass-1], nil })
		if err != nil {
			t.Fatal(err)
		}
		pids := []int{}
		for _, row := range rows {
			pids = append(pids, row.pid)
		}
		slices.Sort(pids)
		if !slices.Equal(pids, []int{42, 43}) {
			t.Errorf("passes that saw %q: pids %v, want each once", seen, pids)
		}
	}
	failure := errors.New("no /proc")
	if _, err := readRows(t.Context(), func() (string, error) { return "", failure }); !errors.Is(err, failure) {
		t.Errorf("locks that cannot be read: %v", err)
	}
}

func TestBadInputIsAnErrorAndNotAnEmptyReport(t *testing.T) {
	dir := t.TempDir()
	file := newFile(t, filepath.Join(dir, "state.db"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx  context.Context
		path string
		want error
	}{
		"no such file":       {t.Context(), filepath.Join(dir, "none.db"), os.ErrNotExist},
		"a directory":        {t.Context(), dir, nil},
		"a device":           {t.Context(), os.DevNull, nil},
		"no time":            {ended, file, context.Canceled},
		"a path with no end": {t.Context(), file + "\x00", unix.EINVAL},
	} {
		report, err := Find(test.ctx, test.path)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v, want %v", name, report, err, test.want)
		}
	}
}
