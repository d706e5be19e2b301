//go:build unix && !linux

package supervise

import "syscall"

// attributes puts the supervisor into a session of its own, so that neither a
// terminal nor a signal to the owner's group reaches it.
//
//holdfast:owns the supervisor ends with its pipe, whose only write end this process holds
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

func resumeUntilEnd(int) {}
