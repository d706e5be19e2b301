//go:build unix

package supervise

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// The supervisor has to survive what a terminal and a service manager send to
// everybody, or it would be gone when it is needed.
func TestSignalsOfATerminalDoNotEndTheSupervisor(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "617")
		r.own(owned, long)
		r.awaitIgnoring()
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGTSTP} {
			if err := r.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
		r.mustLive(owned)
		r.end()
		r.mustBeDead(owned)
	})
}

// awaitIgnoring waits until the supervisor has come to ignore signals.
func (r *run) awaitIgnoring() {
	if runtime.GOOS != "linux" {
		time.Sleep(time.Second) // Nothing else tells.
		return
	}
	r.await("the supervisor to ignore SIGTERM", func() bool {
		text, _ := os.ReadFile("/proc/" + strconv.Itoa(r.cmd.Process.Pid) + "/status")
		_, rest, _ := strings.Cut(string(text), "SigIgn:\t")
		mask, _ := strconv.ParseUint(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), 16, 64)
		return mask&(1<<(syscall.SIGTERM-1)) != 0
	})
}

func TestTheSupervisorIsASessionOfItsOwnWithNothingOfItsOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		pid := r.cmd.Process.Pid
		stat, err := census.Look(pid)
		if err != nil || stat.Session != pid || stat.Group != pid {
			t.Errorf("session %d, group %d of %d: %v", stat.Session, stat.Group, pid, err)
		}
		if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); cwd != "/" {
			t.Errorf("it is in %q: %v", cwd, err)
		}
		arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || bytes.Contains(arguments, []byte("holdfast")) {
			t.Errorf("arguments %q: %v", arguments, err)
		}
	})
}
