package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Signal sends a signal to the identified process and to no other. It takes
// hold of whoever has the number (by a pidfd on Linux 5.4 and later, by a
// handle on Windows) before it looks whether that is the process; on other
// systems a few microseconds lie between the look and the signal. The error
// wraps [os.ErrProcessDone] if the process is not there any more.
func Signal(id procid.Identity, signal os.Signal) error {
	process, err := os.FindProcess(id.PID)
	if err != nil {
		return err
	}
	defer process.Release()
	switch state := id.State(); state {
	case procid.Alive:
		return process.Signal(signal)
	case procid.CannotTell:
		return errors.New("it cannot be identified")
	}
	return os.ErrProcessDone
}

// killWait bounds how long a killed process may take to end: the kernel can
// hold one that waits for a device.
const killWait = 2 * time.Second

// End asks the processes to end, and kills those that are left when the grace
// is over or ctx ends. It takes the grace and 2 s at most. The error names
// those that are still there and why.
func End(ctx context.Context, ids []procid.Identity, grace time.Duration) error {
	var errs []error
	var asked []procid.Identity
	for _, id := range ids {
		switch err := ask(id); {
		case err == nil:
			asked = append(asked, id)
		case !errors.Is(err, os.ErrProcessDone):
			errs = append(errs, fmt.Errorf("process %d: %w", id.PID, err))
		}
	}
	graceful, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	for _, id := range kill(ctx, waitForAll(graceful, asked)) {
		errs = append(errs, fmt.Errorf("process %d: it was killed and has not ended yet", id.PID))
	}
	return errors.Join(errs...)
}

// kill kills the processes and returns those that do not end, for which it
// waits even when ctx has ended.
func kill(ctx context.Context, ids []procid.Identity) []procid.Identity {
	for _, id := range ids {
		Signal(id, os.Kill) // Whether it worked is what the wait says.
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killWait)
	defer cancel()
	return waitForAll(ctx, ids)
}

// waitForAll returns those that are still there when ctx ends, or nobody as
// soon as all have ended.
func waitForAll(ctx context.Context, ids []procid.Identity) []procid.Identity {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		ids = living(ids)
		if len(ids) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return living(ids)
		case <-poll.C:
		}
	}
}

// living leaves out who has ended. A process that cannot be looked at stays.
func living(ids []procid.Identity) []procid.Identity {
	var left []procid.Identity
	for _, id := range ids {
		if state := id.State(); state == procid.Alive || state == procid.CannotTell {
			left = append(left, id)
		}
	}
	return left
}
