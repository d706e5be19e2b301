//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Idle is how long a supervisor with nothing to look after is kept. Starting
// one takes 1.2 ms (dash) to 2 ms, so this is long enough for a program that
// starts one child after the other, and short enough for one that rarely does.
const Idle = 30 * time.Second

// Steady is how long a supervisor has to run before its end counts as an
// accident. One that ends by itself sooner would do so again.
const Steady = 5 * time.Second

// stuck is how long a supervisor may leave a full pipe unread before it is
// replaced. The pipe holds more than a thousand lines.
const stuck = 5 * time.Second

// A Config says what supervisor to run and for whom.
type Config struct {
	// Command returns the program that is to be the supervisor.
	// Nil is Shell("/bin/sh").
	Command func() *exec.Cmd
	Marks   Marks
	Leaf    string        // cgroup directory, without spaces
	Grace   time.Duration // for descendants outside of owned groups

	// Idle is asked after [Idle] with no group owned, and says whether the
	// supervisor may be closed. Nil is yes.
	Idle func() bool
	// Trouble is called when a supervisor ended by itself soon after its
	// start, so that no other one was started. It must not block.
	Trouble func(error)

	idleAfter time.Duration // Idle if 0
}

// A Client is an owner's side of its supervisor. It keeps the record of what
// is owned, the supervisor has a copy: a supervisor that was killed is
// replaced at once and told everything again.
//
// Its methods are safe for concurrent use. None waits for the supervisor,
// except for the start of the process at the first Own.
type Client struct {
	config Config

	mu      sync.Mutex
	groups  map[int]Group
	running *process // nil if there is none
	failed  error    // why the last one was not replaced
	retry   time.Time
	idle    *time.Timer
	closed  bool
}

// New returns a client that has started nothing yet.
func New(config Config) *Client {
	if config.Command == nil {
		config.Command = Shell("/bin/sh")
	}
	if config.idleAfter == 0 {
		config.idleAfter = Idle
	}
	return &Client{config: config, groups: map[int]Group{}}
}

// ErrClosed is returned by a client after Close.
var ErrClosed = errors.New("the supervisor is closed")

// Start starts the supervisor if none runs. The error says why there is none:
// it could not be started, or ended by itself within [Steady] of its start and
// the next attempt is not due yet.
func (c *Client) Start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.start()
}

func (c *Client) start() error {
	switch {
	case c.closed:
		return ErrClosed
	case c.running != nil:
		c.rest()
		return nil
	case c.failed != nil && time.Now().Before(c.retry):
		return c.failed
	}
	running, err := launch(c.config, c.ended)
	if err != nil {
		c.failed, c.retry = fmt.Errorf("starting the supervisor: %w", err), time.Now().Add(Steady)
		return c.failed
	}
	c.running, c.failed = running, nil
	running.send(c.config.preamble())
	for id, group := range c.groups {
		if err := syscall.Kill(-id, 0); errors.Is(err, syscall.ESRCH) {
			delete(c.groups, id)
			continue
		}
		running.send(group.line())
	}
	c.rest()
	return nil
}

// Own tells the supervisor of a group, or that a group it knows is now proven
// by another member. The group is recorded even if there is no supervisor, and
// the error then says why there is none.
func (c *Client) Own(group Group) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.groups[group.ID] = group
	if c.running != nil {
		c.rest()
		c.running.send(group.line())
		return nil
	}
	return c.start()
}

// Drop takes a group out of the supervisor's hands.
func (c *Client) Drop(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.groups[id]; !ok {
		return
	}
	delete(c.groups, id)
	if c.running != nil {
		c.running.send(fmt.Sprintf("drop %d\n", id))
	}
	c.rest()
}

// Groups returns the groups that are owned, in no order.
func (c *Client) Groups() []Group {
	c.mu.Lock()
	defer c.mu.Unlock()
	groups := make([]Group, 0, len(c.groups))
	for _, group := range c.groups {
		groups = append(groups, group)
	}
	return groups
}

// PID returns the process ID of the supervisor, 0 if none runs.
func (c *Client) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		return 0
	}
	return c.running.pid
}

// Err returns why there is no supervisor although one is needed.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Close lets the supervisor go without signalling anything, and waits until it
// has ended, at most a second. Nothing is owned any more afterwards.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	clear(c.groups)
	running := c.running
	c.running = nil
	c.rest()
	c.mu.Unlock()
	if running == nil {
		return nil
	}
	running.quit()
	select {
	case <-running.done:
		return nil
	case <-time.After(time.Second):
		running.kill()
		return errors.New("the supervisor did not end within a second and was killed")
	}
}

// rest arms the timer that closes an idle supervisor, or disarms it.
func (c *Client) rest() {
	if c.running == nil || len(c.groups) > 0 {
		if c.idle != nil {
			c.idle.Stop()
			c.idle = nil
		}
		return
	}
	if c.idle == nil {
		c.idle = time.AfterFunc(c.config.idleAfter, c.closeIdle)
		return
	}
	c.idle.Reset(c.config.idleAfter)
}

func (c *Client) closeIdle() {
	mayClose := c.config.Idle == nil || c.config.Idle()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil || c.running == nil || len(c.groups) > 0 {
		return
	}
	if !mayClose {
		c.rest()
		return
	}
	running := c.running
	c.running, c.idle = nil, nil
	running.quit()
}

// ended is told of every supervisor's end. One that was killed is replaced, one
// that gave up by itself only after it had proven that it can run.
func (c *Client) ended(p *process, state *os.ProcessState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != p {
		return // It was let go.
	}
	c.running = nil
	lived := time.Since(p.started)
	if byItself(state) && lived < Steady {
		c.failed = fmt.Errorf("the supervisor ended by itself after %v (%v)", lived.Round(time.Millisecond), state)
		c.retry = time.Now().Add(Steady)
		if c.config.Trouble != nil {
			go c.config.Trouble(c.failed)
		}
		return
	}
	if len(c.groups) > 0 {
		c.start()
	}
}

// byItself takes a supervisor for one that ended by itself if somebody else has
// taken its status, as a program does that reaps all children.
func byItself(state *os.ProcessState) bool {
	if state == nil {
		return true
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return !ok || !status.Signaled()
}

// Bequeath prepares for an exec of this process: the pipe of the supervisor
// stays open over it. It returns the pipe's number and the supervisor's, and
// writes what the supervisor has not been told yet, within a second.
func (c *Client) Bequeath() (pipe, pid int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.start(); err != nil {
		return 0, 0, err
	}
	if err := c.running.flush(time.Second); err != nil {
		return 0, 0, err
	}
	// Not Fd, which may make the pipe a blocking one.
	if err := c.running.raw.Control(func(fd uintptr) { pipe = int(fd) }); err != nil {
		return 0, 0, err
	}
	return pipe, c.running.pid, KeepOnExec(pipe, true)
}

// Keep undoes Bequeath.
func (c *Client) Keep(pipe int) { KeepOnExec(pipe, false) }

// Inherit takes over the supervisor of the program that this process was
// before.
func (c *Client) Inherit(pipe, pid int) error {
	running, err := inherit(pipe, pid, c.ended)
	if err != nil {
		return fmt.Errorf("taking over the supervisor: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = running
	return nil
}

// Know records a group that the supervisor knows already.
func (c *Client) Know(group Group) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.groups[group.ID] = group
	c.rest()
}
