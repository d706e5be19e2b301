//go:build unix

package supervise

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Shell returns a Command for the supervisor's script in a POSIX shell. The
// words after the program are arguments, as in Shell("/bin/busybox", "sh").
//
// The script is in the environment and not in the arguments, and the arguments
// do not name the owner, so that pkill -f with the owner's name spares it.
func Shell(program string, arguments ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(program, append(arguments, "-c", `eval "$SUPERVISE"`)...)
		cmd.Env = []string{"SUPERVISE=" + script}
		return cmd
	}
}

// A process is one running supervisor.
type process struct {
	pid     int
	program *os.Process
	started time.Time
	done    chan struct{} // closed when it has been waited for

	mu      sync.Mutex
	pipe    *os.File
	raw     syscall.RawConn
	backlog []byte // what did not fit into the pipe
}

// launch starts a supervisor and calls ended, on a goroutine of its own, when
// it has ended.
func launch(config Config, ended func(*process, *os.ProcessState)) (*process, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	raw, err := out.SyscallConn()
	if err != nil {
		out.Close()
		return nil, err
	}
	p := &process{pipe: out, raw: raw, done: make(chan struct{})}
	cmd := config.Command()
	prepare(cmd, in)
	started := make(chan error)
	go p.keep(cmd, started, ended)
	if err := <-started; err != nil {
		out.Close()
		return nil, err
	}
	return p, nil
}

// searchPath finds grep, sleep and rmdir, or ps. The owner's own path is not
// used: what it names is not known to be a system's.
const searchPath = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin:/usr/local/bin"

func prepare(cmd *exec.Cmd, in *os.File) {
	syscall.SetNonblock(int(in.Fd()), false) // A shell takes EAGAIN for the end.
	cmd.Stdin = in
	cmd.Dir = "/"
	cmd.Env = append(cmd.Env, "OWNER_GROUP="+strconv.Itoa(syscall.Getpgrp()),
		"PATH="+searchPath, "LC_ALL=C", "TZ=UTC0")
	cmd.SysProcAttr = attributes()
}

// keep starts the supervisor and waits for it. It stays on one thread, which
// lives as long as the process it started: on Linux the kernel watches that
// thread for the supervisor (see attributes).
func (p *process) keep(cmd *exec.Cmd, started chan<- error, ended func(*process, *os.ProcessState)) {
	runtime.LockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	p.program, p.pid, p.started = cmd.Process, cmd.Process.Pid, time.Now()
	started <- nil
	resumeUntilEnd(p.pid)
	cmd.Wait()
	p.finish(cmd.ProcessState, ended)
}

func (p *process) finish(state *os.ProcessState, ended func(*process, *os.ProcessState)) {
	p.mu.Lock()
	p.pipe.Close()
	p.mu.Unlock()
	close(p.done)
	ended(p, state)
}

// send writes lines without waiting. What does not fit into the pipe is kept
// and written as the supervisor reads.
func (p *process) send(lines string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.backlog) > 0 {
		p.backlog = append(p.backlog, lines...)
		return
	}
	rest := lines[p.try(lines):]
	if rest == "" {
		return
	}
	p.backlog = append(p.backlog, rest...)
	go p.drain()
}

// try writes what fits. A write of whole lines under PIPE_BUF is all or
// nothing; a longer one may end within a line, whose rest follows.
func (p *process) try(lines string) (written int) {
	p.raw.Write(func(fd uintptr) bool {
		for {
			n, err := syscall.Write(int(fd), []byte(lines))
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			written = max(n, 0)
			if err != nil && !errors.Is(err, syscall.EAGAIN) {
				written = len(lines) // It has ended, and its successor is told everything.
			}
			return true
		}
	})
	return written
}

// drain writes the backlog. A supervisor that reads nothing for a while is
// killed, so that it is replaced.
func (p *process) drain() {
	for {
		p.mu.Lock()
		if len(p.backlog) == 0 {
			p.pipe.SetWriteDeadline(time.Time{}) // An expired one would hold up try.
			p.mu.Unlock()
			return
		}
		next := p.backlog
		p.mu.Unlock()

		p.pipe.SetWriteDeadline(time.Now().Add(stuck))
		n, err := p.pipe.Write(next)
		p.mu.Lock()
		p.backlog = p.backlog[n:]
		p.mu.Unlock()
		if errors.Is(err, os.ErrDeadlineExceeded) && n == 0 {
			p.kill()
			return
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return // It has ended.
		}
	}
}

// quit lets the supervisor end without ending anything else.
func (p *process) quit() {
	p.send("quit\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.backlog) > 0 {
		p.kill() // At the end of the pipe it would signal what it owns.
		return
	}
	p.pipe.Close()
}

func (p *process) kill() { p.program.Kill() }
