package owned

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/internal/pidreuse"
	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
)

// A program that reaps all children, as an init does, may reap one before its
// identity has been read. Who has the number then is a stranger.
func TestWhoHasTheNumberOfAReapedChildIsLeftAlone(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	for name, beforeHandle := range map[string]bool{
		"reaped before there is a handle on it": true,
		"reaped after that":                     false,
	} {
		t.Run(name, func(t *testing.T) {
			o := newOwner(t, AtMost(Marks))
			if _, err := o.Start(exec.Command("true")); err != nil {
				t.Fatal(err)
			}
			p := &o.platform
			c := &Child{cmd: groupLeader(), owner: o, known: make(chan struct{}), waited: make(chan struct{})}
			c.live()
			if err := c.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var stranger *exec.Cmd
			if beforeHandle {
				stranger = replace(t, c.PID())
				p.take(c, nil)
			} else {
				c.hold = p.holdOf(c, nil)
				o.add(c)
				stranger = replace(t, c.PID())
				p.settle(c, nil)
				go c.hold.attend()
			}
			if id := c.Identity(); !id.IsZero() {
				t.Errorf("the stranger was taken for the child: %v", id)
			}
			eventually(t, "the owner to let go of the child", func() bool { return c.life.Err() != nil })
			for _, group := range p.client.Groups() {
				if group.ID == c.PID() {
					t.Error("the stranger's group is registered")
				}
			}
			var limit unix.Rlimit
			if err := unix.Prlimit(c.PID(), unix.RLIMIT_LOCKS, nil, &limit); err != nil || limit.Cur == p.marks.Locks {
				t.Errorf("the stranger has the mark: %v", err)
			}
			if err := o.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if stat, err := procfs.ReadStat(stranger.Process.Pid); err != nil || stat.Dead() {
				t.Error("the stranger was ended")
			}
			stranger.Process.Kill()
			stranger.Wait()
		})
	}
}

// groupLeader is a process that leads a group of its own, as a stranger may
// whose number a child had.
func groupLeader() *exec.Cmd {
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// replace ends a child, reaps it behind the back of its exec.Cmd, and gives its
// number to another.
func replace(t *testing.T, pid int) *exec.Cmd {
	t.Helper()
	syscall.Kill(pid, syscall.SIGKILL)
	if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil {
		t.Fatal(err)
	}
	pidreuse.NextTick()
	stranger := pidreuse.StartAs(t, pid, groupLeader)
	if stranger == nil {
		t.Skip("the number went to somebody else")
	}
	return stranger
}

// All children get one of a few numbers, and are reaped as soon as they end.
func TestAReaperOfAllChildrenMakesNobodyAStranger(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	rounds := 300
	if os.Getenv("HOLDFAST_E2E") != "" {
		rounds = 2000
	}
	stop := reapEverything(t)
	for _, tier := range []Tier{Portable, Marks} {
		o := newOwner(t, AtMost(tier))
		dir := t.TempDir()
		var children []*Child
		for n := range rounds {
			if err := os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte("20000"), 0); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", `read -r stat < /proc/self/stat; echo "$stat" > `+strconv.Itoa(n))
			cmd.Dir = dir
			c, err := o.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, c)
		}
		numbers, known := map[int]bool{}, 0
		for n, c := range children {
			numbers[c.PID()] = true
			id := c.Identity()
			if id.IsZero() {
				continue
			}
			known++
			own := statIn(t, filepath.Join(dir, strconv.Itoa(n)))
			if id.PID != own.PID || id.Start != own.Start {
				t.Errorf("child %d is %d of %d, and was identified as %v", n, own.PID, own.Start, id)
			}
		}
		t.Logf("%v: %d children had %d numbers; %d were identified", tier, rounds, len(numbers), known)
		if len(numbers) > rounds/2 {
			t.Error("hardly a number was reused, so that the test shows nothing")
		}
		for _, c := range children {
			eventually(t, "the end of everybody", func() bool { return c.life.Err() != nil })
		}
	}
	stop()
}

// reapEverything reaps all children of this process until stop is called.
func reapEverything(t *testing.T) (stop func()) {
	var reaper sync.WaitGroup
	done := make(chan struct{})
	reaper.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if pid, _ := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 {
				time.Sleep(50 * time.Microsecond)
			}
		}
	})
	return func() { close(done); reaper.Wait() }
}

// statIn returns what a child has written about itself.
func statIn(t *testing.T, file string) procfs.Stat {
	t.Helper()
	var stat procfs.Stat
	eventually(t, fmt.Sprintf("the line in %s", file), func() bool {
		text, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		stat, err = procfs.ParseStat(text)
		return err == nil
	})
	return stat
}
