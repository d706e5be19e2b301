package supervise

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes puts the supervisor into a session of its own, so that neither a
// terminal nor a signal to the owner's group reaches it. If it is stopped when
// the owner dies, the kernel continues it; to a running one that means nothing.
//
//holdfast:owns the supervisor ends with its pipe, whose only write end this process holds
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGCONT}
}

// cldStopped is CLD_STOPPED of siginfo.h: the child was stopped.
const cldStopped = 5

// resumeUntilEnd waits for the end of the supervisor without reaping it, and
// undoes every stop at once: who cannot run cannot watch.
func resumeUntilEnd(pid int) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || info.Code != cldStopped {
			return
		}
		unix.Kill(pid, unix.SIGCONT)
		unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	}
}
