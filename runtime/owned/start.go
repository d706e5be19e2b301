package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// WaitDelay is the [exec.Cmd.WaitDelay] of a child that sets none: how long
// Wait goes on after the child has ended when a grandchild still holds its
// output.
const WaitDelay = 2 * time.Second

// ownersVariable holds, in the environment of every child, the cookies of its
// owner, its owner's owner and so on, with the number of the child behind each:
// "COOKIE.7;COOKIE.1;".
const ownersVariable = "HOLDFAST_OWNERS"

// Start starts cmd, which then dies with its owner: when this process dies,
// however it dies, the child and its descendants get SIGTERM and SIGCONT, and
// SIGKILL after the [Grace]. How much of its descent is reached is a matter of
// the tier; see the package documentation and [Owner.Containment].
//
// The child gets a session of its own, or a process group of its own where
// that is all that can be held ([Portable], [Foreground], or if
// cmd.SysProcAttr says so), so it has no terminal and gets no Ctrl-C. As in
// os/exec it reads from the null device if cmd.Stdin is nil. Start changes
// cmd.SysProcAttr, cmd.Env and cmd.WaitDelay; cmd.Process, cmd.Wait, the pipes
// and the errors of Start are those of os/exec.
//
// The error wraps that of cmd.Start, or says that the child cannot be owned:
// there is no supervisor, or cmd asks for the impossible. Nothing runs then.
// Start blocks as [exec.Cmd.Start] does, and 10 to 20 µs longer; the first one
// also starts the supervisor, which takes one to two milliseconds. It waits for
// neither the supervisor nor the disk of the ledger. What follows within a
// millisecond of its return is in the package documentation, under "What has
// happened when Start returns".
func (o *Owner) Start(cmd *exec.Cmd, options ...Option) (*Child, error) {
	c := &Child{
		cmd: cmd, owner: o, settings: settings{grace: o.config.grace},
		known: make(chan struct{}), waited: make(chan struct{}),
	}
	for _, option := range options {
		option(&c.settings)
	}
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("owned: starting %s: %w", c.Name(), err)
	}
	if c.settings.ctx != nil {
		stop := context.AfterFunc(c.settings.ctx, func() { c.Stop(context.Background()) })
		context.AfterFunc(c.life, func() { stop() })
	}
	return c, nil
}

func (c *Child) start() error {
	if c.cmd.Process != nil {
		return errors.New("the command was started before")
	}
	if err := c.owner.prepare(c); err != nil {
		return err
	}
	undo := c.dress()
	if err := c.owner.platform.start(c); err != nil {
		undo()
		return err
	}
	return nil
}

// prepare opens the owner and gives the child its number.
func (o *Owner) prepare(c *Child) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.open(); err != nil {
		return err
	}
	o.births++
	c.mark = fmt.Sprintf("%s.%d;", o.cookie, o.births)
	c.live()
	return nil
}

// dress sets what the command leaves open, and returns what takes it back.
func (c *Child) dress() (undo func()) {
	cmd := c.cmd
	env, attributes, delay := cmd.Env, cmd.SysProcAttr, cmd.WaitDelay
	cmd.Env = withMark(environment(cmd), c.mark)
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = WaitDelay
	}
	return func() { cmd.Env, cmd.SysProcAttr, cmd.WaitDelay = env, attributes, delay }
}

// environment is what cmd would start with.
func environment(cmd *exec.Cmd) []string {
	switch {
	case cmd.Env != nil:
		return slices.Clone(cmd.Env)
	case cmd.Dir != "":
		return cmd.Environ() // It sets PWD.
	}
	return os.Environ()
}

// withMark puts a mark before those of outer owners.
func withMark(env []string, mark string) []string {
	for i := len(env) - 1; i >= 0; i-- {
		if outer, found := strings.CutPrefix(env[i], ownersVariable+"="); found {
			env[i] = ownersVariable + "=" + mark + outer
			return env
		}
	}
	return append(env, ownersVariable+"="+mark)
}

// Name returns the child's name in the ledger.
func (c *Child) Name() string {
	if c.settings.name != "" {
		return c.settings.name
	}
	return filepath.Base(c.cmd.Path)
}

// identify returns the identity of who has the number, or the zero Identity.
func identify(pid int) procid.Identity {
	identity, _ := procid.Of(pid)
	return identity
}
