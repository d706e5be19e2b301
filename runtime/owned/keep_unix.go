//go:build unix

package owned

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// startKept starts cmd in a session of its own, without a mark.
//
//holdfast:owns the ledger notes who it is and why it is kept, and Recover finds it
func startKept(cmd *exec.Cmd) error {
	attributes := &syscall.SysProcAttr{}
	if cmd.SysProcAttr != nil {
		*attributes = *cmd.SysProcAttr
	}
	if attributes.Pgid != 0 || attributes.Foreground {
		return errors.New("SysProcAttr ties it to another process group")
	}
	attributes.Setpgid, attributes.Setsid = false, true
	cmd.SysProcAttr = attributes
	return cmd.Start()
}

// waitIfChild returns what waits for the process, if it is a child of this one,
// as after an exec.
func waitIfChild(id procid.Identity) func() error {
	process, err := os.FindProcess(id.PID)
	if err != nil {
		return nil
	}
	now, err := census.Look(id.PID)
	if err != nil || now.Start != id.Start || now.Parent != os.Getpid() {
		process.Release()
		return nil
	}
	cmd := &exec.Cmd{Process: process}
	return cmd.Wait
}

// Signal signals the session's leading group: the process and the descendants
// that stayed in its group. The error wraps [os.ErrProcessDone] if the process
// has ended.
func (k *Kept) Signal(signal os.Signal) error {
	number, ok := signal.(syscall.Signal)
	if !ok {
		return errors.ErrUnsupported
	}
	now, err := census.Look(k.PID())
	if err != nil || now.Start != k.entry.Process.Start || now.Dead() {
		return os.ErrProcessDone
	}
	if !census.SignalGroup(now, number) {
		return os.ErrProcessDone
	}
	return nil
}

func (k *Kept) stop(ctx context.Context) error {
	id := k.entry.Process
	return run(census.Ending{
		Claim:   census.Claim{Groups: map[int]census.Member{k.entry.Group: {PID: id.PID, Start: id.Start}}},
		Grace:   k.grace,
		GraceOf: map[int]time.Duration{k.entry.Group: k.grace},
		Now:     ctx.Done(),
	})
}
