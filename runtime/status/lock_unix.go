//go:build unix

package status

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile takes an exclusive flock(2), which ends when the file is closed or
// the process dies, and reports whether it has it.
func lockFile(file *os.File, bound time.Duration) bool {
	deadline := time.Now().Add(bound)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return true
		}
		busy := errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR)
		if !busy || time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
}
