//go:build unix

package owned

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
)

// A hold is an owned process group.
type hold struct {
	platform *platform
	id       int
	grace    time.Duration
	mark     string          // of the child, empty if the group was not started here
	leader   handle          // pins the identity of the group
	watched  handle          // the child, whose end is awaited; often the leader
	known    <-chan struct{} // closed when member is set, if it ever is
	reaped   chan struct{}
	ended    func(released bool)
	terminal *terminal // given to the child, nil if none

	mu     sync.Mutex
	member census.Member // a process that proves the group to be this one, or zero
	over   bool          // released, or empty

	finished sync.Once
}

func (h *hold) group() int { return h.id }

// register tells the supervisor that the group is owned and who proves it.
func (h *hold) register(member census.Member) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil
	}
	h.member = member
	return h.platform.client.Own(supervise.Group{ID: h.id, Member: member.PID, Start: member.Start, Grace: h.grace})
}

// attend waits until the group is empty and lets go of it then, so that its
// number is not ours when it is given to others. It costs a goroutine, and a
// look at the group now and then while a dead child is not waited for or has
// left somebody behind.
func (h *hold) attend() {
	if h.proof() != (census.Member{}) {
		h.watched.awaitExit(h.reaped)
	}
	reaped := h.reaped
	for delay := time.Millisecond; !h.isOver() && !h.empty(); delay = min(2*delay, 2*time.Second) {
		if delay >= 16*time.Millisecond {
			h.reprove()
		}
		select {
		case <-reaped:
			reaped = nil
		case <-time.After(delay):
		}
	}
	released := h.isOver()
	h.finish(released)
}

// finish lets go of the group and says so, once.
func (h *hold) finish(released bool) {
	h.finished.Do(func() {
		h.release()
		h.ended(released)
	})
}

// proof returns the process that proves the group, zero if there is none.
func (h *hold) proof() census.Member {
	<-h.known
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.member
}

// leaderReaped is told that the child has been waited for.
func (h *hold) leaderReaped() {
	h.terminal.leave()
	close(h.reaped)
}

func (h *hold) isOver() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over
}

func (h *hold) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return
	}
	h.over = true
	h.platform.client.Drop(h.id)
	h.leader.close()
	h.watched.close()
}

func (h *hold) empty() bool {
	err := h.leader.signalGroup(0)
	if errors.Is(err, errors.ErrUnsupported) {
		if h.proof() == (census.Member{}) {
			return true // What has the number now is somebody else's.
		}
		err = syscall.Kill(-h.id, 0)
	}
	return errors.Is(err, syscall.ESRCH)
}

// reprove finds another member to prove the group by, if the one that the
// supervisor knows has ended and left others behind.
func (h *hold) reprove() {
	member := h.proof()
	if now, err := census.Look(member.PID); err == nil && now.Start == member.Start && !now.Dead() {
		return
	}
	for _, process := range census.InGroup(h.id) {
		// As is asked now, the group has not been empty since it was ours: it
		// is still ours.
		if !process.Dead() && !h.empty() {
			h.register(census.Member{PID: process.PID, Start: process.Start})
			return
		}
	}
}

// signal signals the group, if it is still the one that was started.
func (h *hold) signal(signal os.Signal) error {
	number, ok := signal.(syscall.Signal)
	if !ok {
		return fmt.Errorf("%v is no signal of this system", signal)
	}
	err := h.leader.signalGroup(number)
	if errors.Is(err, errors.ErrUnsupported) {
		err = h.signalProven(number)
	}
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// signalProven is for systems that have no handle on a group.
func (h *hold) signalProven(signal syscall.Signal) error {
	<-h.known
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return syscall.ESRCH
	}
	now, err := census.Look(h.member.PID)
	if err != nil || now.Start != h.member.Start || now.Group != h.id {
		return syscall.ESRCH
	}
	return syscall.Kill(-h.id, signal)
}
