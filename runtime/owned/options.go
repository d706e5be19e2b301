package owned

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// An Option changes how one child is started and ended.
type Option func(*settings)

type settings struct {
	grace         time.Duration
	name          string
	family        string
	foreground    bool
	waitElsewhere bool
	ctx           context.Context
}

// Grace is how long the child may take to end after SIGTERM before it is
// killed. It is [DefaultGrace] if not set; less than a millisecond is taken as
// a millisecond, more than a day as a day.
func Grace(d time.Duration) Option {
	return func(s *settings) { s.grace = d }
}

// Name is what the child is called in the ledger and by "holdfast ps". It is
// the name of the program if not set.
func Name(name string) Option {
	return func(s *settings) { s.name = name }
}

// Family says what kind of child it is, such as "language server", in the
// ledger and for "holdfast ps".
func Family(family string) Option {
	return func(s *settings) { s.family = family }
}

// Foreground gives the terminal to the child until [Child.Wait] returns: it
// reads from it and gets its Ctrl-C. The child's Stdin has to be the terminal.
func Foreground() Option {
	return func(s *settings) { s.foreground = true }
}

// StopWhen stops the child as [Child.Stop] does when ctx ends. Unlike
// [exec.CommandContext] it asks first, and reaches the child's descendants.
func StopWhen(ctx context.Context) Option {
	return func(s *settings) { s.ctx = ctx }
}

// WaitElsewhere says that cmd.Wait is called by somebody else, a library that
// was handed the exec.Cmd for instance. [Child.Stop] then leaves the reaping to
// it. Without this option only [Child.Wait] may be called.
//
// If cmd.Wait reaps the child in the moment after its start, which takes a child
// that ends at once, its [Child.Identity] is not known any more. Nothing is
// registered for it then but its group, where that is.
func WaitElsewhere() Option {
	return func(s *settings) { s.waitElsewhere = true }
}

// An OwnerOption changes an [Owner].
type OwnerOption func(*config)

type config struct {
	grace      time.Duration
	limit      Tier
	supervisor func() *exec.Cmd
	trouble    func(error)
	ledger     string
}

// OwnerGrace is the [Grace] of children that say nothing else, and of
// descendants that left the group of their child.
func OwnerGrace(d time.Duration) OwnerOption {
	return func(c *config) { c.grace = d }
}

// AtMost keeps the owner from using a higher tier than the given one, which is
// of use to compare them. The default is the highest that works.
func AtMost(tier Tier) OwnerOption {
	return func(c *config) { c.limit = tier }
}

// Supervisor sets the program that runs the supervisor's script: a POSIX
// shell, with arguments that come before its -c. It is /bin/sh if not set.
func Supervisor(shell string, arguments ...string) OwnerOption {
	return func(c *config) { c.supervisor = shellCommand(shell, arguments...) }
}

// OnTrouble sets a function that is called, on a goroutine of its own, when
// the supervisor ended by itself soon after its start, so that nothing looks
// after the children. [Owner.Start] refuses to start more until one runs.
func OnTrouble(f func(error)) OwnerOption {
	return func(c *config) { c.trouble = f }
}

// LedgerDir sets the directory of the ledger. It is $HOLDFAST_LEDGER_DIR if
// that is set, and $XDG_STATE_HOME or ~/.local/state otherwise, with
// /holdfast/ledger behind it. "off" keeps no ledger.
func LedgerDir(dir string) OwnerOption {
	return func(c *config) { c.ledger = dir }
}

// IsTerminal says whether a file is the controlling terminal of this process.
func IsTerminal(file *os.File) bool { return isControlling(file) }

// CanForeground says whether a child may be given the terminal that a file is:
// it is the controlling one of this process, which is in the foreground itself.
func CanForeground(file *os.File) bool { return isControlling(file) && ownsTerminal(file) }
