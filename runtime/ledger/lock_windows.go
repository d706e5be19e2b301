package ledger

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const (
	noFollow         = 0
	canReplace       = false
	removeNeedsClose = true
)

// lockedByte is far behind the end of every file: Windows keeps everybody from
// reading the bytes that are locked.
const lockedByte = 1 << 30

// lockExclusive takes the owner's lock, or says at once that it is another's.
func lockExclusive(handle *os.File) error {
	return lock(handle, windows.LOCKFILE_EXCLUSIVE_LOCK)
}

// lockShared takes a lock that other readers may have too, and no owner.
func lockShared(handle *os.File) error {
	return lock(handle, 0)
}

func lock(handle *os.File, how uint32) error {
	place := windows.Overlapped{OffsetHigh: lockedByte}
	err := windows.LockFileEx(windows.Handle(handle.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// isForeign is false: the directory's access list is what protects the files.
func isForeign(os.FileInfo) bool { return false }

// groupIsEmpty is true: there are no process groups.
func groupIsEmpty(int) bool { return true }
