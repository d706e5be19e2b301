//go:build unix && !linux

package owned

import (
	"os/signal"
	"syscall"
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
