//go:build unix

package owned

import (
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A spare is a process group that is registered with the supervisor and has
// nothing in it but a placeholder. A child that is started into it is owned
// from its first moment on. The placeholder leaves then; the group stays as
// long as the child does.
type spare struct {
	group  int
	leader handle
	cmd    *exec.Cmd
	stdin  io.Closer // the placeholder ends with it
}

// spares keeps one spare warm, so that a start does not wait for one.
type spares struct {
	client *supervise.Client

	mu     sync.Mutex
	warm   *spare
	making chan struct{} // closed when the one is there that is being made; nil if none is
	expiry *time.Timer
}

// take returns a spare, the warm one if there is one.
func (s *spares) take() (*spare, error) {
	s.mu.Lock()
	warm := s.warm
	s.warm = nil
	s.mu.Unlock()
	if warm != nil {
		return warm, nil
	}
	return s.make()
}

// put gives back a spare that was not used.
func (s *spares) put(unused *spare) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.warm != nil {
		s.dissolve(unused)
		return
	}
	s.warm = unused
	s.expire()
}

// refill makes a warm spare in the background.
func (s *spares) refill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.warm != nil || s.making != nil {
		return
	}
	made := make(chan struct{})
	s.making = made
	go func() {
		fresh, err := s.make()
		if err == nil {
			s.put(fresh)
		}
		s.mu.Lock()
		s.making = nil
		s.mu.Unlock()
		close(made)
	}()
}

// close lets the warm spare go, after it has been made.
func (s *spares) close() {
	s.mu.Lock()
	making := s.making
	s.mu.Unlock()
	if making != nil {
		<-making
	}
	s.drop()
}

// expire lets a spare that nobody uses go, as an idle supervisor is.
func (s *spares) expire() {
	if s.expiry != nil {
		s.expiry.Stop()
	}
	s.expiry = time.AfterFunc(supervise.Idle, s.drop)
}

func (s *spares) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.warm != nil {
		s.dissolve(s.warm)
		s.warm = nil
	}
}

func (s *spares) dissolve(unused *spare) {
	s.client.Drop(unused.group)
	unused.leader.close()
	unused.leave()
}

// make starts a placeholder and registers its group. The placeholder reads a
// pipe of this process, so that it ends after it in any case.
//
//holdfast:owns the placeholder ends soon after this process, which holds its standard input
func (s *spares) make() (*spare, error) {
	cmd := placeholderCommand()
	cmd.Env = []string{}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	made := &spare{group: cmd.Process.Pid, leader: openHandle(cmd.Process.Pid), cmd: cmd, stdin: stdin}
	identity, err := procid.Of(made.group)
	if err == nil {
		err = s.client.Own(supervise.Group{ID: made.group, Member: made.group, Start: identity.Start, Grace: DefaultGrace})
	}
	if err != nil {
		made.leave()
		return nil, err
	}
	return made, nil
}

// leave ends the placeholder, and with it the group if nobody joined.
func (s *spare) leave() {
	s.cmd.Process.Kill()
	go s.cmd.Wait()
}
