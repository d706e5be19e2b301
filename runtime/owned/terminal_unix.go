//go:build unix

package owned

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal was given to a child and is to be taken back.
type terminal struct {
	file  *os.File
	group int // of this process
	child int // the child's group
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
	t := &terminal{file: c.cmd.Stdin.(*os.File), group: syscall.Getpgrp(), child: c.hold.id}
	t.give()
	go t.followStops(c)
	return t
}

func (t *terminal) give() {
	control(t.file, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, t.child) })
	syscall.Kill(-t.child, syscall.SIGCONT)
}

// followStops makes the child and this process one job to the shell: when
// Ctrl-Z stops the child, this process stops too, and when it is continued it
// continues the child.
func (t *terminal) followStops(c *Child) {
	continued := make(chan os.Signal, 1)
	for awaitStop(c.PID()) {
		t.leave()
		signal.Notify(continued, syscall.SIGCONT)
		syscall.Kill(0, syscall.SIGTSTP)
		select {
		case <-continued:
		case <-time.After(stopDelay): // Nobody stops a group that no shell looks after.
		}
		signal.Stop(continued)
		if ownsTerminal(t.file) {
			t.give()
		} else {
			c.hold.signal(syscall.SIGCONT)
		}
	}
}

// stopDelay is how long a stop signal to oneself may take to work. The clock
// stands still for who is stopped.
const stopDelay = 200 * time.Millisecond

// leave takes the terminal back. This process is in the background until then,
// so that it has to block or ignore the signal that would stop it.
//
// Somebody else may have it by now: it is only taken from the child.
func (t *terminal) leave() {
	if t == nil {
		return
	}
	if group, err := foregroundGroup(t.file); err != nil || group != t.child {
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
