package owned

import (
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
