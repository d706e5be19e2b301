//go:build unix && !aix && !solaris && !illumos

package workspace

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, or fails at once if somebody has it.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
