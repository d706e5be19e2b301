package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Kept is a process that is meant to outlive who started it. Its methods are
// safe for concurrent use.
type Kept struct {
	owner *Owner
	entry ledger.Entry
	grace time.Duration
	done  chan struct{} // closed when it was waited for; nil if it is no child of this process
	err   error
}

// Keep starts cmd with the [Default] owner. See [Owner.Keep].
func Keep(cmd *exec.Cmd, reason string, options ...Option) (*Kept, error) {
	return Default().Keep(cmd, reason, options...)
}

// Keep starts a process that is meant to outlive this one. The reason is noted
// in the ledger and shown by "holdfast ps"; like the reason of a marker it has
// three words at least, or is a link. After a restart [Owner.Recover] finds the
// process again.
//
// Output that cmd does not send elsewhere goes to a log file, see [Kept.Log].
// A cmd.Stdout or cmd.Stderr that is not a file is refused: the pipe behind it
// would break with this process.
//
// The process does not outlive what this process does not: an outer owner that
// started this process, a container, or a service manager that ends everything
// in a service (KillMode=control-group of systemd).
//
// Nothing runs if Keep returns an error, which it also does when the disk of the
// ledger has not answered for two seconds. In the moment between the start and
// the row in the ledger, a kill of this process leaves a process that nobody
// knows of.
func (o *Owner) Keep(cmd *exec.Cmd, reason string, options ...Option) (*Kept, error) {
	s := settings{grace: o.config.grace, name: filepath.Base(cmd.Path)}
	for _, option := range options {
		option(&s)
	}
	k, err := o.keep(cmd, reason, s)
	if err != nil {
		return nil, fmt.Errorf("owned: keeping %s: %w", s.name, err)
	}
	return k, nil
}

func (o *Owner) keep(cmd *exec.Cmd, reason string, s settings) (*Kept, error) {
	if len(strings.Fields(reason)) < 3 && !strings.Contains(reason, "://") {
		return nil, fmt.Errorf("the reason %q is not one: say in three words at least why it must outlive its owner", reason)
	}
	if err := o.prepareToKeep(); err != nil {
		return nil, err
	}
	log, err := logTo(cmd, s.name)
	if err != nil {
		return nil, err
	}
	if log != nil {
		defer log.Close()
	}
	cmd.Env = append(environment(cmd), census.KeptMark+"1")
	if err := startKept(cmd); err != nil {
		return nil, err
	}
	k := &Kept{owner: o, grace: s.grace, done: make(chan struct{}), entry: ledger.Entry{
		Event:   ledger.EventKeep,
		Time:    time.Now(),
		Process: identify(cmd.Process.Pid),
		Group:   cmd.Process.Pid,
		Session: cmd.Process.Pid,
		Name:    s.name,
		Family:  s.family,
		Reason:  reason,
		Command: cmd.Args,
		Dir:     cmd.Dir,
	}}
	if log != nil {
		k.entry.Log = log.Name()
	}
	go k.reap(cmd.Wait)
	if err := o.journal.write(k.entry); err != nil {
		cmd.Process.Kill()
		return nil, err
	}
	return k, nil
}

// prepareToKeep returns when the ledger is open and has what was noted.
func (o *Owner) prepareToKeep() error {
	o.mu.Lock()
	err := o.open()
	o.mu.Unlock()
	if err == nil {
		err = o.journal.flush()
	}
	if err != nil {
		return err
	}
	if o.journal.ledger == nil {
		return fmt.Errorf("no ledger is kept: %w", errors.Join(o.journal.err, errors.ErrUnsupported))
	}
	return nil
}

// logTo sends the output of cmd that goes nowhere to a new file.
func logTo(cmd *exec.Cmd, name string) (*os.File, error) {
	for _, stream := range []any{cmd.Stdin, cmd.Stdout, cmd.Stderr} {
		if _, ok := stream.(*os.File); stream != nil && !ok {
			return nil, fmt.Errorf("a stream of type %T would break when this process ends: use a file", stream)
		}
	}
	if cmd.Stdout != nil && cmd.Stderr != nil {
		return nil, nil
	}
	log, err := createLog(name)
	if err != nil {
		return nil, fmt.Errorf("making the log: %w", err)
	}
	if cmd.Stdout == nil {
		cmd.Stdout = log
	}
	if cmd.Stderr == nil {
		cmd.Stderr = log
	}
	return log, nil
}

// createLog makes a file with mode 0600 beside the ledger, or for the user's
// eyes only where that is: output may hold secrets.
func createLog(name string) (*os.File, error) {
	dir, err := ledger.Dir()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "log")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	pattern := strings.Map(fileRune, name) + "-" + time.Now().UTC().Format("20060102T150405") + "-*.log"
	return os.CreateTemp(dir, pattern)
}

// fileRune keeps what a file name may have everywhere.
func fileRune(r rune) rune {
	if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", r) {
		return r
	}
	return '_'
}

// reap waits for a kept process that is a child of this process.
func (k *Kept) reap(wait func() error) {
	k.err = wait()
	k.note(ledger.EventExit)
	close(k.done)
}

func (k *Kept) note(event string) {
	entry := k.entry
	entry.Event, entry.Time = event, time.Time{}
	k.owner.journal.note(entry)
}

// PID returns the process ID. It may be another's once the process has ended;
// see [Kept.Identity].
func (k *Kept) PID() int { return k.entry.Process.PID }

// Identity returns the identity of the process.
func (k *Kept) Identity() procid.Identity { return k.entry.Process }

// Name returns its name, as given to [Name].
func (k *Kept) Name() string { return k.entry.Name }

// Family returns its family, as given to [Family].
func (k *Kept) Family() string { return k.entry.Family }

// Reason returns why it outlives its owner.
func (k *Kept) Reason() string { return k.entry.Reason }

// Log returns the file that its output goes to, empty if the output goes
// elsewhere.
func (k *Kept) Log() string { return k.entry.Log }

// Started returns when it was started.
func (k *Kept) Started() time.Time { return k.entry.Time }

// State says whether it is alive.
func (k *Kept) State() procid.State { return k.entry.Process.State() }

// Wait waits until the process has ended, or ctx has, whose error it then
// returns. The error of a process that this process started is that of
// [exec.Cmd.Wait]; of others the status is not known, and it is nil.
func (k *Kept) Wait(ctx context.Context) error {
	if k.done != nil {
		select {
		case <-k.done:
			return k.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for delay := time.Millisecond; k.State() == procid.Alive; delay = min(2*delay, 250*time.Millisecond) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
	}
	return nil
}

// Stop ends the process and its descendants as [Child.Stop] does, with the
// grace that Keep was given, or that of the owner that recovered it.
func (k *Kept) Stop(ctx context.Context) error {
	if err := k.stop(ctx); err != nil {
		return fmt.Errorf("owned: stopping %s: %w", k.Name(), err)
	}
	if k.done == nil && k.State() != procid.Alive {
		k.note(ledger.EventExit)
	}
	return nil
}
