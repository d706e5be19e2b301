// Package pidreuse is for tests that give the number of an ended process to
// another one, which otherwise takes luck: it runs them in a PID namespace of
// their own, where the next number can be chosen.
package pidreuse

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// insideVariable says that the test runs in its namespace already.
const insideVariable = "PIDREUSE_INSIDE"

// lastPID holds the number after which the kernel looks for a free one.
const lastPID = "/proc/sys/kernel/ns_last_pid"

// Inside reports whether the test runs in a namespace of its own, as PID 1.
// If not, it runs the test again in one, and fails or skips like that one did;
// there is nothing left to do for the caller then.
//
// Making a namespace takes root, or a system that lets users make user
// namespaces; the test is skipped where neither is.
func Inside(t *testing.T) bool {
	t.Helper()
	if os.Getenv(insideVariable) == "" {
		runInside(t)
		return false
	}
	if err := settle(); err != nil {
		t.Skip("the next PID cannot be chosen: ", err)
	}
	return true
}

func runInside(t *testing.T) {
	t.Helper()
	test := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1", "-test.timeout=20m")
	test.Env = append(os.Environ(), insideVariable+"=1")
	// The signal of Pdeathsig comes when the thread ends that started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// As in a container, PID 1 leads a session; its old group has no number here.
	test.SysProcAttr = &syscall.SysProcAttr{
		Setsid:     true, // detached-spawn: ok — Pdeathsig kills PID 1 of the namespace, and the kernel all the others with it
		Pdeathsig:  syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
	}
	if os.Geteuid() != 0 {
		test.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		test.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		test.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	out, err := test.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		unavailable(t, "making a PID namespace: "+err.Error())
	case err != nil:
		t.Errorf("in the namespace: %v\n%s", err, out)
	case strings.Contains(string(out), "\n--- SKIP") || strings.HasPrefix(string(out), "--- SKIP"):
		unavailable(t, string(out))
	default:
		t.Logf("%s", out)
	}
}

// unavailable skips, except where a long run says that everything has to be.
func unavailable(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("HOLDFAST_E2E") != "" && os.Geteuid() == 0 {
		t.Fatal(why)
	}
	t.Skip(why)
}

// settle mounts the /proc of the namespace and tries whether numbers can be
// chosen.
func settle() error {
	if err := syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return err
	}
	return choose(1000)
}

// choose makes pid the next number, if it is free.
func choose(pid int) error {
	return os.WriteFile(lastPID, []byte(strconv.Itoa(pid-1)), 0)
}

// StartAs starts what command returns with the given PID, and returns nil if
// somebody else has it. Threads take numbers too, so it tries a few times.
func StartAs(t *testing.T, pid int, command func() *exec.Cmd) *exec.Cmd {
	t.Helper()
	for range 20 {
		if err := choose(pid); err != nil {
			t.Fatal(err)
		}
		cmd := command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if cmd.Process.Pid == pid {
			return cmd
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	return nil
}

// NextTick waits until the clock has ticked by which Linux tells when a process
// started: 100 times a second. Two processes that get one number between two
// ticks cannot be told apart.
func NextTick() {
	const tick = 10 * time.Millisecond
	time.Sleep(tick + tick/2)
}
