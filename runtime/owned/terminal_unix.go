//go:build unix

package owned

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// A terminal was given to a child and is to be taken back.
type terminal struct {
	file  *os.File
	group int // of this process
}

// isControlling reports whether the file is the controlling terminal of this
// process: only that one tells its foreground group.
func isControlling(file *os.File) bool {
	_, err := foregroundGroup(file)
	return err == nil
}

func ownsTerminal(file *os.File) bool {
	group, err := foregroundGroup(file)
	return err == nil && group == syscall.Getpgrp()
}

func foregroundGroup(file *os.File) (group int, err error) {
	err = control(file, func(fd int) error {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return group, err
}

// enterForeground gives the terminal to the child's group. The child may have
// been stopped in the moment before, when it read or changed the terminal.
//
// It is done from here and not by SysProcAttr.Foreground, with which the child
// is stopped for ever before it executes anything (golang/go#37217).
func enterForeground(c *Child) *terminal {
	file := c.cmd.Stdin.(*os.File)
	control(file, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, c.hold.id) })
	c.hold.signal(syscall.SIGCONT)
	return &terminal{file: file, group: syscall.Getpgrp()}
}

// leave takes the terminal back. This process is in the background until then,
// so that it has to block or ignore the signal that would stop it.
func (t *terminal) leave() {
	if t == nil {
		return
	}
	withoutStop(func() {
		control(t.file, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, t.group) })
	})
}

func control(file *os.File, f func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(fd uintptr) { result = f(int(fd)) }); err != nil {
		return err
	}
	return result
}
