//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package ledger

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// noFollow makes opening fail on a symbolic link, and not wait for the
	// other end of a pipe that somebody put in the place of a file.
	noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
	// canReplace says that a file which is open can be replaced by renaming.
	canReplace = true
	// removeNeedsClose says that a file which is open cannot be removed.
	removeNeedsClose = false
)

// lockExclusive takes the owner's lock, or says at once that it is another's.
func lockExclusive(handle *os.File) error {
	return flock(handle, unix.LOCK_EX|unix.LOCK_NB)
}

// lockShared takes a lock that other readers may have too, and no owner.
func lockShared(handle *os.File) error {
	return flock(handle, unix.LOCK_SH|unix.LOCK_NB)
}

func flock(handle *os.File, how int) error {
	raw, err := handle.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = raw.Control(func(fd uintptr) {
		lockErr = unix.Flock(int(fd), how)
	})
	if err != nil {
		return err
	}
	if errors.Is(lockErr, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return lockErr
}

// isForeign reports whether another user owns the file.
func isForeign(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}

// groupIsEmpty reports whether no process, not even a zombie, is in the group.
// It may be another group by now that has the number.
func groupIsEmpty(group int) bool {
	return group > 1 && errors.Is(unix.Kill(-group, 0), unix.ESRCH)
}
