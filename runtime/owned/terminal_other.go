//go:build unix && !linux

package owned

import (
	"os/signal"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// withoutStop ignores SIGTTOU. A child that is started in this moment inherits
// that, which only background jobs of a shell could notice.
func withoutStop(f func()) {
	if signal.Ignored(syscall.SIGTTOU) {
		f()
		return
	}
	signal.Ignore(syscall.SIGTTOU)
	defer signal.Reset(syscall.SIGTTOU)
	f()
}

// awaitStop waits until the child is stopped, or has ended: then it is false.
// It looks ten times a second, since waitid(2) is not to be trusted everywhere
// (golang/go#19314).
func awaitStop(pid int) bool {
	for ; ; time.Sleep(100 * time.Millisecond) {
		now, err := census.Look(pid)
		if err != nil || now.Dead() {
			return false
		}
		if now.State == 'T' {
			return true
		}
	}
}
