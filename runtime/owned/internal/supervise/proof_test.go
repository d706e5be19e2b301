//go:build unix

package supervise

import (
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
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Bystanders stand for whoever got a number that an owned process once had.
func TestARecycledNumberIsNotSignalled(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "606")
		otherBirth := r.start("sleep", "607")
		otherMember := r.start("sleep", "608")
		r.own(owned, time.Second)
		earlier := birth(1)
		r.say("own %d %d %s 100\n", otherBirth.id.PID, otherBirth.id.PID, earlier)
		r.say("own %d %d %s 100\n", otherMember.id.PID, owned.id.PID, r.born(owned))
		r.end()
		r.mustBeDead(owned)
		r.mustLive(otherBirth, otherMember)
	})
}

func TestAnotherMemberProvesAGroupWhoseLeaderIsGone(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		leader := r.start("sleep", "609")
		member := r.startCmd(joining(leader.id.PID, "sleep", "610"))
		syscall.Kill(leader.id.PID, syscall.SIGKILL)
		r.await("the leader's end", func() bool { return leader.id.State() == procid.Gone })
		r.say("own %d %d %s 1000\n", leader.id.PID, member.id.PID, r.born(member))
		r.end()
		r.mustBeDead(member)
	})
}

func joining(group int, name string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(name, arguments...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	return cmd
}

func TestMarksFindWhoLeftTheGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("marks need Linux")
	}
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		if !r.proc {
			t.Skip("marks need /proc")
		}
		cookie := strings.Repeat("0123456789abcdef", 2)
		cookie = cookie[:22] + fmt.Sprintf("%010d", r.cmd.Process.Pid)
		locks := 1<<50 + r.cmd.Process.Pid
		r.say("mark %s %d\ngrace 20000\n", cookie, locks)
		byCookie := exec.Command("sleep", "612")
		byCookie.Env = append(os.Environ(), "ANY="+cookie+".1;")
		byCookie.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		marked := r.startCmd(byCookie)
		limited := r.start("bash", "-c", fmt.Sprintf("ulimit -S -x %d; exec env -i sleep 613", locks))
		r.await("the limit", func() bool {
			text, _ := os.ReadFile("/proc/" + strconv.Itoa(limited.id.PID) + "/limits")
			return strings.Contains(string(text), strconv.Itoa(locks))
		})
		stranger := r.start("sleep", "614")
		r.end()
		r.mustBeDead(marked, limited)
		r.mustLive(stranger)
	})
}

func TestDescendantsOfOwnedProcessesAreFoundByTheirParents(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		parent, grandchild := parentOfStranger(r)
		r.own(parent, long)
		r.end()
		r.mustBeDead(parent)
		if grandchild.State() == procid.Alive {
			t.Error("the grandchild is alive")
		}
	})
}

// parentOfStranger starts a process with a child in a session of its own, with
// nothing in its environment.
func parentOfStranger(r *run) (*child, procid.Identity) {
	cmd := inRole(r, "parent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	parent, answer := r.startAnswering(cmd)
	pid, err := strconv.Atoi(answer)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return parent, identity(r.T, pid)
}

// The leader of an owned session proves everybody in it, in whatever group.
func TestAnOwnedSessionIsEndedWithAllItsGroups(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		if !r.proc || runtime.GOOS != "linux" {
			t.Skip("ps does not tell sessions in the same way everywhere")
		}
		cmd := inRole(r, "session")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		leader, answer := r.startAnswering(cmd)
		pid, err := strconv.Atoi(answer)
		if err != nil {
			t.Fatal(err)
		}
		job := identity(t, pid)
		defer syscall.Kill(pid, syscall.SIGKILL)
		r.await("the job to be an orphan", func() bool {
			stat, _ := census.Look(pid)
			return stat.Parent != leader.id.PID
		})
		r.own(leader, long)
		r.end()
		if job.State() == procid.Alive {
			t.Error("the job is alive")
		}
	})
}
