//go:build unix

package supervise

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// KeepOnExec says whether an open file stays open when the process executes
// another program.
func KeepOnExec(fd int, keep bool) error {
	flags := unix.FD_CLOEXEC
	if keep {
		flags = 0
	}
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, flags)
	return err
}

// inherit makes a process of a supervisor that this process started when it was
// another program.
func inherit(pipe, pid int, ended func(*process, *os.ProcessState)) (*process, error) {
	if err := KeepOnExec(pipe, false); err != nil {
		return nil, err
	}
	if err := syscall.SetNonblock(pipe, true); err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(pipe), "supervisor")
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	program, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	p := &process{program: program, pid: pid, started: time.Now(), done: make(chan struct{}), pipe: file, raw: raw}
	go func() {
		runtime.LockOSThread() // As in keep.
		resumeUntilEnd(pid)
		state, err := program.Wait()
		if err != nil {
			return // It was no child, so that nobody is to be told.
		}
		p.finish(state, ended)
	}()
	return p, nil
}

// flush waits until the supervisor has been told everything.
func (p *process) flush(atMost time.Duration) error {
	for deadline := time.Now().Add(atMost); ; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		done := len(p.backlog) == 0
		p.mu.Unlock()
		if done {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("the supervisor does not read")
		}
	}
}
