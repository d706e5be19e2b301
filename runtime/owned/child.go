package owned

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Child is a process that was started by an [Owner] and dies with it. Its
// methods are safe for concurrent use.
type Child struct {
	cmd      *exec.Cmd
	owner    *Owner
	settings settings
	mark     string // in its environment and that of its descendants, and no others
	hold     *hold  // its process group

	known    chan struct{} // closed when identity is set
	identity procid.Identity

	wait    sync.Once
	waitErr error
	waited  chan struct{} // closed when Wait has the status

	life context.Context // ends when nothing of the child is left
	end  context.CancelFunc
}

// PID returns the process ID of the child.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Group returns the process group that the child was started in. It is the PID
// of the child in all tiers but [Portable]. On Windows it is 0.
func (c *Child) Group() int { return c.hold.group() }

// Identity returns the identity of the child, by which other processes can
// refer to it without fear of a recycled number. It waits until that is read,
// which is within a millisecond of the start. It is the zero Identity if
// somebody was faster and reaped the child: see [WaitElsewhere].
func (c *Child) Identity() procid.Identity {
	<-c.known
	return c.identity
}

// identified is called once, when it is known who the child is, if it ever is.
func (c *Child) identified(identity procid.Identity) {
	c.identity = identity
	close(c.known)
	c.owner.journal.note(c.entry(ledger.EventStart))
}

// Wait waits for the child to end, and for its output to be copied, as
// [exec.Cmd.Wait] does, and returns the same errors. It has no bound of its
// own: use [Child.Stop] or [StopWhen]. It may be called more than once.
//
// Descendants that the child left behind stay owned: they end with [Child.Stop]
// or with the owner.
func (c *Child) Wait() error {
	c.wait.Do(func() {
		<-c.known // Its number is its own until it has been waited for.
		c.waitErr = c.cmd.Wait()
		c.hold.leaderReaped()
		close(c.waited)
	})
	return c.waitErr
}

// Signal sends a signal to the process group of the child: to the child and the
// descendants that stayed in its group. The error wraps [os.ErrProcessDone] if
// none is left; a group that has the number since then is not signalled.
func (c *Child) Signal(signal os.Signal) error {
	if err := c.hold.signal(signal); err != nil {
		return fmt.Errorf("owned: signalling %s: %w", c.Name(), err)
	}
	return nil
}

// Stop ends the child and its descendants, including those that left its group
// as far as the tier tells them: SIGTERM and SIGCONT first, SIGKILL to what is
// left when the grace is over or ctx ends, whichever is first. It then waits for
// the child as [Child.Wait] does, for its status.
//
// Stop takes the grace and two seconds at most. Its error says what is still
// alive: processes of other users, or stuck in the kernel. The status of the
// child is no error of Stop.
func (c *Child) Stop(ctx context.Context) error {
	if !c.settings.waitElsewhere {
		go c.Wait()
	}
	if err := c.stop(ctx); err != nil {
		return fmt.Errorf("owned: stopping %s: %w", c.Name(), err)
	}
	if c.settings.waitElsewhere {
		return nil
	}
	select {
	case <-c.waited:
	case <-time.After(c.cmd.WaitDelay + time.Second):
	}
	return nil
}

// Done returns a channel that is closed when the child and everything in its
// group has ended. As long as nobody waits for the child it stays open.
func (c *Child) Done() <-chan struct{} { return c.life.Done() }

func (c *Child) live() {
	c.life, c.end = context.WithCancel(context.Background())
}

// ended is called once, when the group has no process left.
func (c *Child) ended(bool) {
	c.owner.remove(c)
	c.owner.journal.note(c.entry(ledger.EventExit))
	c.end()
}

func (c *Child) entry(event string) ledger.Entry {
	return ledger.Entry{
		Event:   event,
		Process: c.identity,
		Group:   c.Group(),
		Name:    c.Name(),
		Family:  c.settings.family,
		Command: c.cmd.Args,
		Dir:     c.cmd.Dir,
		Cookie:  c.owner.cookie,
	}
}
