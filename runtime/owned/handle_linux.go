package owned

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// A handle is a pidfd: it stands for one process and for the group that this
// process leads, whoever has the number later.
type handle struct{ file *os.File }

// openHandle has to be called while pid is known to be the process that is
// meant: our child that nobody has waited for. On a kernel before 5.3 the
// handle is empty.
func openHandle(pid int) handle {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return handle{}
	}
	unix.SetNonblock(pidfd, true) // So that the runtime's poller takes it.
	return handle{file: os.NewFile(uintptr(pidfd), "pidfd")}
}

func (h handle) close() {
	if h.file != nil {
		h.file.Close()
	}
}

// awaitExit waits until the process has ended, and takes no thread meanwhile.
// Without a pidfd it waits until somebody tells that it was reaped.
func (h handle) awaitExit(reaped <-chan struct{}) {
	if h.file == nil {
		<-reaped
		return
	}
	raw, err := h.file.SyscallConn()
	if err == nil {
		err = raw.Read(func(pidfd uintptr) bool { return readable(int(pidfd)) })
	}
	if err != nil && !errors.Is(err, os.ErrClosed) {
		<-reaped
	}
}

func readable(fd int) bool {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0
}

// signalProcessGroup is PIDFD_SIGNAL_PROCESS_GROUP of Linux 6.9 and later
// (include/uapi/linux/pidfd.h): the signal goes to the group whose leader the
// pidfd stands for, even after that was reaped.
const signalProcessGroup = 1 << 2

var noGroupSignals atomic.Bool

// signalGroup signals the group that the process leads. The error wraps
// errors.ErrUnsupported if the kernel cannot.
func (h handle) signalGroup(signal syscall.Signal) error {
	if h.file == nil || noGroupSignals.Load() {
		return errors.ErrUnsupported
	}
	raw, err := h.file.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(pidfd uintptr) {
		result = unix.PidfdSendSignal(int(pidfd), signal, nil, signalProcessGroup)
	}); err != nil {
		return syscall.ESRCH // It is closed: the group was released.
	}
	if errors.Is(result, syscall.EINVAL) && signal >= 0 && signal <= 64 {
		noGroupSignals.Store(true)
		return errors.ErrUnsupported
	}
	return result
}
