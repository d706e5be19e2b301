//go:build unix

package supervise

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

const long = 20 * time.Second // a grace that a test never waits for

func TestEndOfInputEndsOwnedGroupsOnly(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		leader := r.start("sleep", "600")
		family := r.start("sh", "-c", "sleep 601 & sleep 602")
		dropped := r.start("sleep", "603")
		stranger := r.start("sleep", "604")
		r.own(leader, long)
		r.own(family, long)
		r.own(dropped, long)
		r.say("drop %d\n", dropped.id.PID)
		r.end()
		r.mustBeDead(leader, family)
		r.mustLive(dropped, stranger)
		if left := livingIn(family.id.PID); len(left) > 0 {
			t.Errorf("left in the group: %+v", left)
		}
	})
}

func livingIn(group int) (living []census.Process) {
	for _, process := range census.InGroup(group) {
		if !process.Dead() {
			living = append(living, process)
		}
	}
	return living
}

func TestWhoIgnoresTermIsKilledAfterTheGrace(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		deaf := deafChild(r)
		r.own(deaf, 100*time.Millisecond)
		r.end()
		r.mustBeDead(deaf)
		status := deaf.status(r)
		if status.Signal() != syscall.SIGKILL {
			t.Errorf("it ended by %v", status.Signal())
		}
	})
}

// On a machine that is very busy a single survey can take longer than the grace
// and what is added to it. The kill must not fall through then.
func TestABusyMachineDoesNotSpareAnybody(t *testing.T) {
	t.Parallel()
	grep, err := exec.LookPath("grep")
	if err != nil || birth(1) != "1" {
		t.Skip("the supervisor does not run grep here")
	}
	slow := t.TempDir()
	text := "#!/bin/sh\nsleep 2.3\nexec " + grep + " \"$@\"\n"
	if err := os.WriteFile(slow+"/grep", []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startRun(t, func() *exec.Cmd {
		cmd := Shell("/bin/sh")()
		cmd.Env = append(cmd.Env, "PATH="+slow+":"+searchPath)
		return cmd
	})
	deaf := deafChild(r)
	r.say("grace 100\n")
	r.own(deaf, 100*time.Millisecond)
	r.end()
	r.mustBeDead(deaf)
}

// deafChild is a process that ignores SIGTERM and is known to do so already.
func deafChild(r *run) *child {
	cmd := inRole(r, "deaf")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	deaf, _ := r.startAnswering(cmd)
	return deaf
}

func (c *child) status(r *run) syscall.WaitStatus {
	r.Helper()
	<-c.reaped
	return c.ProcessState.Sys().(syscall.WaitStatus)
}

func TestAStoppedProcessIsContinuedSoThatItActsOnTerm(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		stopped := r.start("sleep", "605")
		syscall.Kill(stopped.id.PID, syscall.SIGSTOP)
		r.own(stopped, long)
		r.end()
		r.mustBeDead(stopped)
		if signal := stopped.status(r).Signal(); signal != syscall.SIGTERM {
			t.Errorf("it ended by %v", signal)
		}
	})
}

// A zombie answers kill(pid, 0), but nothing of it is alive: the grace must
// not be spent on it.
func TestAZombieIsNotWaitedFor(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		cmd := exec.Command("sleep", "611")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		id, err := procid.Of(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		zombie := &child{Cmd: cmd, id: id}
		r.own(zombie, time.Hour)
		r.end() // Within its bound, which is far below the grace.
		if state := id.State(); state != procid.Zombie {
			t.Errorf("the process is %v, and the test showed nothing", state)
		}
	})
}

func TestQuitSignalsNobody(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "616")
		r.own(owned, long)
		r.say("quit\n")
		r.end()
		r.mustLive(owned)
	})
}
