package status

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lockFile takes an exclusive lock, which ends when the file is closed or the
// process dies, and reports whether it has it.
func lockFile(file *os.File, bound time.Duration) bool {
	deadline := time.Now().Add(bound)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
		err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
		if err == nil {
			return true
		}
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) || time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
}
