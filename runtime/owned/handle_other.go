//go:build unix && !linux

package owned

import (
	"errors"
	"syscall"
	"time"
)

// A handle would stand for one process for ever. Here it is only a number.
type handle struct{ pid int }

func openHandle(pid int) handle { return handle{pid} }

func (handle) close() {}

// awaitExit waits until the process has been reaped, which it is told by who
// calls Wait here, and sees within a second if somebody else does.
func (h handle) awaitExit(reaped <-chan struct{}) {
	for syscall.Kill(h.pid, 0) == nil {
		select {
		case <-reaped:
			return
		case <-time.After(time.Second):
		}
	}
}

func (handle) signalGroup(syscall.Signal) error { return errors.ErrUnsupported }
