package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
	"github.com/holdfast-go/holdfast/runtime/internal/timequeue"
)

// A Registry knows which sessions are live and closes those that nobody needs.
// It is safe for concurrent use. None of its methods waits, but for
// [Registry.Explain] and [Registry.Shutdown].
type Registry struct {
	opts     Options
	question question

	mu       sync.Mutex
	sessions map[string]*record
	live     int // sessions that are not retired
	detached int // live sessions without a client

	awake   awake
	timer   clock.Timer
	timerAt int64 // when the timer is due, never if it is not set
	scanAt  int64 // when to look for lost timers
	firing  bool  // the reapers are at work; they set the timer when they are done

	queue     timequeue.Queue[*record]    // every live session without a client
	evictable timequeue.Queue[*candidate] // those of them that the cap may take

	teardown teardown
	events   []event // decided, and logged once the lock is free
	shut     bool
}

// New returns a registry without sessions. It starts no goroutine. It returns
// an error if the options or [GraceVariable] are not valid.
func New(opts Options) (*Registry, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("making a session registry: %w", err)
	}
	return &Registry{
		opts:     opts,
		question: question{schedules: opts.Schedules, bound: opts.QuestionBound, clock: opts.Clock},
		sessions: make(map[string]*record),
		awake:    awake{epoch: opts.Clock.Now()},
		timerAt:  never,
		scanAt:   never,
		teardown: teardown{idle: make(chan struct{})},
	}, nil
}

// Add registers a session to which no client is connected yet. If none comes
// within the grace, the session is an orphan; the cap does not take it before its
// first client. The error is [ErrExists] while
// there is a session of this id, also while it is torn down, or [ErrShutdown].
func (r *Registry) Add(id string) error {
	return r.add(record{id: id}, 0, "added")
}

// Restore registers a session that another process has kept before this one,
// with how long ago a client or a turn was seen in it. Its client has a whole
// grace to come back, but the idle time counts for the TTL. A negative idle
// time counts as 0. The errors are those of [Registry.Add].
func (r *Registry) Restore(id string, idle time.Duration) error {
	return r.add(record{id: id, client: 1}, max(0, idle), "restored")
}

func (r *Registry) add(added record, idle time.Duration, what string) error {
	id, s := added.id, &added
	if id == "" {
		return errNoID
	}
	now := r.lock()
	defer r.unlock(now)
	if r.shut {
		return ErrShutdown
	}
	if _, exists := r.sessions[id]; exists {
		return fmt.Errorf("adding session %q: %w", id, ErrExists)
	}
	s.touched, s.since = now-int64(idle), now
	r.sessions[id] = s
	r.live++
	r.detached++
	r.arm(s, now)
	r.note(s, now, what, "waits for its client")
	return nil
}

// Connect attaches a client. It cancels whatever waited for the client to come
// back, and makes the calls of an older client void. The error is [ErrUnknown],
// [ErrShutdown] or a [*RefusedError].
func (r *Registry) Connect(id string) (Client, error) {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err != nil {
		return Client{}, fmt.Errorf("connecting a client: %w", err)
	}
	if !s.attached {
		s.attached = true
		r.detached--
	}
	s.client++
	s.touched = now
	s.pinned = false
	r.arm(s, now)
	r.note(s, now, "attached", "a client connected")
	return Client{r, s, s.client}, nil
}

// Len returns how many live sessions there are.
func (r *Registry) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live
}

// Recheck says that something has changed that [Options.Schedules] knows of: a
// schedule began, was paused, or ended. A session that was spared for its
// schedule is looked at anew, at once if its grace is over. An unknown session
// is none to recheck.
func (r *Registry) Recheck(id string) {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err != nil || s.attached {
		return
	}
	s.pinned = false
	r.arm(s, now)
	r.note(s, now, "rechecked", "its schedules have changed")
}

// Close closes a session for the given reason, whatever its state. A turn that
// runs is interrupted, and the hooks wait for it [Options.Settle] at most. Close
// does not wait for the hooks. The error is [ErrUnknown], [ErrShutdown] or, if
// the session is closed already, a [*RefusedError].
func (r *Registry) Close(id, reason string) error {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err != nil && (s == nil || s.retired) {
		return fmt.Errorf("closing a session: %w", err)
	}
	if s.running && !s.stopped && !s.latched {
		r.interrupt(s.id)
	}
	r.retire(s, now, Closing{s.id, Retired, Caller, reason}, r.opts.Settle)
	return nil
}

// usable returns the session if it takes clients and turns.
func (r *Registry) usable(id string) (*record, error) {
	if r.shut {
		return nil, ErrShutdown
	}
	s := r.sessions[id]
	if s == nil {
		return nil, fmt.Errorf("session %q: %w", id, ErrUnknown)
	}
	return s, s.refusal()
}

// refusal returns the error for who wants to use the session, nil if it may.
func (s *record) refusal() error {
	switch {
	case s.retired:
		return &RefusedError{s.id, Retired}
	case s.latched:
		return &RefusedError{s.id, Interrupted}
	}
	return nil
}

// lock takes the lock and returns the awake time, which it tells to go on after
// a sleep.
func (r *Registry) lock() int64 {
	r.mu.Lock()
	now, slept := r.awake.wake(r.opts.Clock.Now(), r.timerAt)
	if slept > 0 {
		r.noteSleep(slept)
	}
	return now
}

// unlock sets the timer to what is due first and logs what was decided. It does
// so without the lock, for a log may wait for a disk.
func (r *Registry) unlock(now int64) {
	r.setTimer(now)
	events := r.events
	r.events = nil
	r.mu.Unlock()
	r.log(events)
}
