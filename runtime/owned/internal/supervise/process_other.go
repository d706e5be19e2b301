//go:build unix && !linux

package supervise

import "syscall"

// attributes puts the supervisor into a session of its own, so that neither a
// terminal nor a signal to the owner's group reaches it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

func resumeUntilEnd(int) {}
