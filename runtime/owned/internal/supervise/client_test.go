//go:build unix

package supervise

import (
	"errors"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

func newClient(t *testing.T, config Config) (*Client, *run) {
	t.Helper()
	c := New(config)
	t.Cleanup(func() { c.Close() })
	return c, &run{T: t, proc: true}
}

func group(c *child) Group {
	return Group{ID: c.id.PID, Member: c.id.PID, Start: c.id.Start, Grace: time.Second}
}

func (r *run) mustOwn(c *Client, children ...*child) {
	r.Helper()
	for _, owned := range children {
		if err := c.Own(group(owned)); err != nil {
			r.Fatal(err)
		}
	}
}

// dieAsOwner ends the pipe as the death of this process would.
func (r *run) dieAsOwner(c *Client) {
	r.Helper()
	c.mu.Lock()
	running := c.running
	c.running = nil
	c.closed = true
	c.mu.Unlock()
	running.pipe.Close()
	r.await("the end of the supervisor", func() bool {
		select {
		case <-running.done:
			return true
		default:
			return false
		}
	})
}

func TestNothingIsStartedBeforeThereIsAGroup(t *testing.T) {
	c, _ := newClient(t, Config{})
	c.Drop(12345)
	if pid := c.PID(); pid != 0 {
		t.Errorf("supervisor %d runs for nobody", pid)
	}
}

func TestAKilledSupervisorIsReplacedByOneThatKnowsTheLivingGroups(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV} {
		t.Run(signal.String(), func(t *testing.T) {
			c, r := newClient(t, Config{Grace: time.Second})
			owned, dropped, dead := r.start("sleep", "640"), r.start("sleep", "641"), r.start("sleep", "642")
			r.mustOwn(c, owned, dropped, dead)
			c.Drop(dropped.id.PID)
			syscall.Kill(dead.id.PID, syscall.SIGKILL)
			r.await("the end of a group", func() bool { return syscall.Kill(-dead.id.PID, 0) != nil })
			first := c.PID()
			syscall.Kill(first, signal)
			r.await("another supervisor", func() bool { pid := c.PID(); return pid != 0 && pid != first })
			if groups := c.Groups(); len(groups) != 1 || groups[0] != group(owned) {
				t.Errorf("it knows %+v", groups)
			}
			r.dieAsOwner(c)
			r.mustBeDead(owned)
			r.mustLive(dropped)
		})
	}
}

func TestAStoppedSupervisorIsContinued(t *testing.T) {
	if birth(1) != "1" {
		t.Skip("only Linux tells of a stop without reaping")
	}
	c, r := newClient(t, Config{Grace: time.Second})
	owned := r.start("sleep", "643")
	r.mustOwn(c, owned)
	for range 20 {
		syscall.Kill(c.PID(), syscall.SIGSTOP)
	}
	r.await("it to run again", func() bool {
		stat, err := census.Look(c.PID())
		return err == nil && stat.State != 'T'
	})
	r.dieAsOwner(c)
	r.mustBeDead(owned)
}

// A program that never reads stands for a supervisor that hangs.
func TestAFullPipeHoldsNobodyUp(t *testing.T) {
	c, r := newClient(t, Config{Command: func() *exec.Cmd { return exec.Command("sleep", "644") }})
	owned := r.start("sleep", "645")
	r.mustOwn(c, owned)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 10_000 { // Ten times what a pipe holds.
			c.Own(group(owned))
			c.Drop(owned.id.PID)
		}
	}()
	r.await("the calls to return", func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	if c.running.backlog == nil {
		t.Error("the pipe was never full, and the test showed nothing")
	}
}

func TestWhatDidNotFitIsWrittenLater(t *testing.T) {
	c, r := newClient(t, Config{Command: Shell("/bin/sh"), Grace: time.Second})
	owned := r.start("sleep", "646")
	r.mustOwn(c, owned)
	for range 20_000 {
		c.Own(group(owned))
	}
	last := r.start("sleep", "647")
	r.mustOwn(c, last)
	r.await("the backlog to be written", func() bool {
		c.running.mu.Lock()
		defer c.running.mu.Unlock()
		return len(c.running.backlog) == 0
	})
	r.dieAsOwner(c)
	r.mustBeDead(owned, last)
}

func TestASupervisorThatEndsByItselfIsNotStartedAgainAndAgain(t *testing.T) {
	starts := 0
	told := make(chan error, 10)
	c, r := newClient(t, Config{
		Command: func() *exec.Cmd { starts++; return exec.Command("false") },
		Trouble: func(err error) { told <- err },
	})
	owned := r.start("sleep", "648")
	r.mustOwn(c, owned)
	select {
	case err := <-told:
		t.Log("told:", err)
	case <-time.After(30 * time.Second):
		t.Fatal("nobody was told")
	}
	if err := c.Start(); err == nil || c.Err() == nil {
		t.Error("the next start says nothing")
	}
	if starts != 1 {
		t.Errorf("it was started %d times", starts)
	}
}

func TestAMissingShellIsAnError(t *testing.T) {
	c, _ := newClient(t, Config{Command: Shell("/no/such/shell")})
	if err := c.Start(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestAnIdleSupervisorIsClosedUnlessSomethingIsLeft(t *testing.T) {
	var left atomic.Bool
	asked := make(chan struct{}, 1)
	c, r := newClient(t, Config{
		idleAfter: time.Millisecond,
		Idle: func() bool {
			select {
			case asked <- struct{}{}:
			default:
			}
			return !left.Load()
		},
	})
	owned := r.start("sleep", "649")
	r.mustOwn(c, owned)
	left.Store(true)
	c.Drop(owned.id.PID)
	<-asked
	<-asked
	if c.PID() == 0 {
		t.Error("it was closed although something is left")
	}
	left.Store(false)
	r.await("it to be closed", func() bool { return c.PID() == 0 })
	r.mustLive(owned)

	another := r.start("sleep", "650")
	r.mustOwn(c, another)
	r.dieAsOwner(c)
	r.mustBeDead(another)
	r.mustLive(owned)
}

func TestCloseEndsTheSupervisorAndNothingElse(t *testing.T) {
	c, r := newClient(t, Config{})
	owned := r.start("sleep", "651")
	r.mustOwn(c, owned)
	running := c.running
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	<-running.done
	r.mustLive(owned)
	if err := c.Own(group(owned)); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A program may reap all its children, as an init does, and then nobody knows
// how its supervisor ended.
func TestASupervisorThatSomebodyElseReapedIsNoPanic(t *testing.T) {
	stolen := 0
	for range 20 {
		c, r := newClient(t, Config{})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		pid := c.PID()
		thief := make(chan error)
		go func() {
			_, err := syscall.Wait4(pid, nil, 0, nil)
			thief <- err
		}()
		syscall.Kill(pid, syscall.SIGKILL)
		if <-thief == nil {
			stolen++
			r.await("the client to see it", func() bool { return c.PID() != pid })
		}
		c.Close()
	}
	if stolen == 0 {
		t.Skip("the client was always faster")
	}
}
