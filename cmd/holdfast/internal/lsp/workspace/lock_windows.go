package workspace

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file until it is closed, or fails at once if somebody has it. The
// locked byte is beyond the end: others may read what is before.
func lock(file *os.File) error {
	beyond := &windows.Overlapped{OffsetHigh: 1}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, beyond)
}
