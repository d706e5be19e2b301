//go:build unix

package owned

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A platform is what an Owner holds its children with.
type platform struct {
	tier   Tier
	why    []string // of each higher tier, why it is not active
	client *supervise.Client
	marks  supervise.Marks
	leaf   leaf
	spares spares

	grace    time.Duration
	maxLocks uint64 // the hard limit on file locks

	mu      sync.Mutex
	adopted map[int]*hold // groups that something else started
}

func shellCommand(shell string, arguments ...string) func() *exec.Cmd {
	return supervise.Shell(shell, arguments...)
}

func (p *platform) open(o *Owner) error {
	if o == Default() {
		left, err := o.inherit()
		if left != nil {
			err = o.resume(left)
		}
		o.resumeErr = err
		if left != nil && err == nil {
			return nil
		}
	}
	p.choose(o)
	p.connect(o)
	return nil
}

// connect prepares the supervisor, and starts none.
func (p *platform) connect(o *Owner) {
	p.grace = o.config.grace
	command := o.config.supervisor
	if command == nil {
		command = standardSupervisor()
	}
	p.client = supervise.New(supervise.Config{
		Command: command,
		Marks:   p.marks,
		Leaf:    p.leaf.path,
		Grace:   o.config.grace,
		Idle:    p.nothingLeft,
		Trouble: o.config.trouble,
	})
	p.spares.client = p.client
}

// nothingLeft says whether no descendant is left, in a group or outside.
func (p *platform) nothingLeft() bool {
	alive, err := census.New(p.claim()).Alive()
	return err == nil && len(alive) == 0
}

func (p *platform) claim() census.Claim {
	return census.Claim{Cookie: p.marks.Cookie, Locks: p.marks.Locks, Leaf: p.leaf.path}
}

// start starts the child in a group that the supervisor knows, or in such a way
// that the supervisor finds it even if this process is killed before it can say
// a word.
//
//holdfast:owns the group it joins was registered with the supervisor before
func (p *platform) start(c *Child) error {
	if err := p.client.Start(); err != nil {
		return err
	}
	attributes, err := attributesOf(c)
	if err != nil {
		return err
	}
	c.cmd.SysProcAttr = attributes
	p.leaf.enter(attributes)
	var joined *spare
	if p.tier == Portable && attributes.Setpgid {
		if joined, err = p.spares.take(); err != nil {
			return fmt.Errorf("making a process group: %w", err)
		}
		attributes.Pgid = joined.group
	}
	if err := c.cmd.Start(); err != nil {
		if joined != nil {
			p.spares.put(joined)
		}
		return err
	}
	p.take(c, joined)
	return nil
}

// take takes a child in hand that has just been started, in a spare if that is
// not nil. What can follow when Start has returned follows then: by its mark or
// by the group it joined the supervisor knows the child already, and as long as
// this process has a handle on it, nobody else is taken for it.
func (p *platform) take(c *Child, joined *spare) {
	c.hold = p.holdOf(c, joined)
	c.owner.add(c)
	isKnown := joined != nil || p.tier != Portable
	if isKnown && hasHandle(c.cmd.Process) && !c.settings.foreground {
		go func() {
			p.settle(c, joined)
			c.hold.attend()
		}()
		return
	}
	p.settle(c, joined)
	if c.settings.foreground {
		c.hold.terminal = enterForeground(c)
	}
	go c.hold.attend()
}

func (p *platform) holdOf(c *Child, joined *spare) *hold {
	child := p.grasp(c.cmd.Process)
	h := &hold{
		platform: p,
		id:       c.PID(),
		grace:    c.settings.grace,
		mark:     c.mark,
		leader:   child,
		watched:  child,
		known:    c.known,
		reaped:   make(chan struct{}),
		ended:    c.ended,
	}
	if joined != nil {
		h.id, h.leader = joined.group, joined.leader
	}
	return h
}

// grasp opens a handle on a process that was just started, and marks it. The
// handle is empty if somebody has reaped the process: what has its number now
// may be another.
func (p *platform) grasp(process *os.Process) handle {
	grasped := openHandle(process.Pid)
	p.impress(process.Pid)
	if isPinned(process) {
		return grasped
	}
	p.unimpress(process.Pid)
	grasped.close()
	return handle{}
}

// settle registers the child and lets the spare's placeholder go.
func (p *platform) settle(c *Child, joined *spare) {
	identity := identify(c.PID())
	if isPinned(c.cmd.Process) {
		c.hold.register(census.Member{PID: c.PID(), Start: identity.Start})
	} else {
		identity = procid.Identity{} // It may be another's.
	}
	if joined != nil {
		joined.leave()
		p.spares.refill()
	}
	c.identified(identity)
}

// isPinned reports whether a child has not been reaped, so that its number has
// been its own up to now. Without a handle it asks whether there is anybody with
// the number, which is as good a moment after the start.
func isPinned(process *os.Process) bool {
	err := process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

func hasHandle(process *os.Process) bool {
	return process.WithHandle(func(uintptr) {}) == nil
}

// attributesOf returns the attributes of the caller with a session or a process
// group of its own added.
//
//holdfast:owns its only caller registers the group with the supervisor
func attributesOf(c *Child) (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{}
	if given := c.cmd.SysProcAttr; given != nil {
		*attributes = *given
	}
	if attributes.Pgid != 0 {
		return nil, errors.New("SysProcAttr.Pgid is set: the process group of an owned child is its own")
	}
	if err := checkTerminal(c, attributes); err != nil {
		return nil, err
	}
	switch {
	case attributes.Setsid, attributes.Setpgid:
	case attributes.Foreground, c.settings.foreground, c.owner.platform.tier == Portable:
		attributes.Setpgid = true
	default:
		attributes.Setsid = true
	}
	return attributes, nil
}

// checkTerminal refuses a child that would fight for the terminal: in a session
// of its own it steals what is typed, in a group of its own it is stopped.
func checkTerminal(c *Child, attributes *syscall.SysProcAttr) error {
	stdin, ok := c.cmd.Stdin.(*os.File)
	controlling := ok && isControlling(stdin)
	switch {
	case c.settings.foreground && !controlling:
		return errors.New("option Foreground needs the controlling terminal as Stdin")
	case c.settings.foreground && !ownsTerminal(stdin):
		return errors.New("option Foreground: this process is not in the foreground itself")
	case controlling && !c.settings.foreground && !attributes.Foreground && !attributes.Setctty:
		return errors.New("the command's Stdin is the terminal: use Foreground, or leave it nil")
	}
	return nil
}

func (o *Owner) supervisorPID() (int, error) {
	o.mu.Lock()
	client := o.platform.client
	o.mu.Unlock()
	if client == nil {
		return 0, nil
	}
	return client.PID(), client.Err()
}

func (o *Owner) tier() (Tier, []string) { return o.platform.tier, o.platform.why }
