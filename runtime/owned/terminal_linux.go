package owned

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutStop blocks SIGTTOU on this thread. Ignoring it would reach children
// that are started meanwhile.
func withoutStop(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var blocked, before unix.Sigset_t
	blocked.Val[0] = 1 << (unix.SIGTTOU - 1)
	if unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, &before) == nil {
		defer unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	}
	f()
}

// cldStopped is CLD_STOPPED of siginfo.h: the child was stopped.
const cldStopped = 5

// awaitStop waits until the child is stopped, or has ended: then it is false.
// It reaps nothing.
func awaitStop(pid int) bool {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || info.Code != cldStopped {
			return false
		}
		return unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG, nil) == nil
	}
}
