package session

import (
	"fmt"
	"sync"
)

// A Client is one connection to a session. Its methods do nothing once a newer
// client has connected: what arrives late from a closed socket neither keeps a
// session nor ends its newer connection. The zero Client is nobody.
type Client struct {
	registry *Registry
	session  *record
	number   uint32
}

// Drop says that the client is gone, and starts the grace. It reports whether
// this client was the connected one.
func (c Client) Drop() bool {
	if c.registry == nil {
		return false
	}
	now := c.registry.lock()
	defer c.registry.unlock(now)
	if !c.current() {
		return false
	}
	s := c.session
	s.attached = false
	c.registry.detached++
	s.since, s.touched = now, now
	c.registry.arm(s, now)
	c.registry.note(s, now, "detached", "its client is gone")
	return true
}

// Touch says that the client is there, for the TTL. It reports whether this
// client is the connected one.
func (c Client) Touch() bool {
	if c.registry == nil {
		return false
	}
	now := c.registry.lock()
	defer c.registry.unlock(now)
	if !c.current() {
		return false
	}
	c.session.touched = now
	return true
}

func (c Client) current() bool {
	s := c.session
	return !c.registry.shut && !s.retired && s.attached && s.client == c.number
}

// A Turn is a piece of work of a session, of which there is one at a time. The
// zero Turn is none.
type Turn struct {
	registry *Registry
	session  *record
	number   uint32
}

// BeginTurn takes the session's turn. The error is [ErrBusy], [ErrUnknown],
// [ErrShutdown] or a [*RefusedError].
func (r *Registry) BeginTurn(id string) (Turn, error) {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err == nil && s.running {
		err = fmt.Errorf("session %q: %w", id, ErrBusy)
	}
	if err != nil {
		return Turn{}, fmt.Errorf("beginning a turn: %w", err)
	}
	s.running = true
	s.turn++
	s.touched, s.activity = now, now
	r.arm(s, now)
	r.note(s, now, "turn began", "")
	return Turn{r, s, s.turn}, nil
}

// Active says that the turn makes progress. A turn without a client that says
// nothing for [Options.ActivityStale] is interrupted.
func (t Turn) Active() {
	if t.registry == nil {
		return
	}
	now := t.registry.lock()
	defer t.registry.unlock(now)
	if t.current() {
		t.session.touched, t.session.activity = now, now
	}
}

// End gives the turn back. It must be called once for each turn, also for one
// that was interrupted or whose session is closed; more calls do nothing.
func (t Turn) End() {
	if t.registry == nil {
		return
	}
	now := t.registry.lock()
	defer t.registry.unlock(now)
	if !t.current() {
		return
	}
	s := t.session
	s.running, s.stopped = false, false
	if s.retired {
		t.registry.teardown.settled(s)
		return
	}
	s.touched = now
	if !s.attached {
		s.since = now
	}
	t.registry.arm(s, now)
	t.registry.note(s, now, "turn ended", "")
}

func (t Turn) current() bool {
	return t.session.running && t.session.turn == t.number
}

// Interrupt asks the running turn of a session to end, as when its user says
// stop. The request belongs to this turn: one that is not heeded, or that comes
// when the turn ends, stops no later turn. Interrupt reports whether there is a
// turn that was not asked before. The error is [ErrUnknown], [ErrShutdown] or a
// [*RefusedError].
func (r *Registry) Interrupt(id, reason string) (bool, error) {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err != nil {
		return false, fmt.Errorf("interrupting a turn: %w", err)
	}
	if !s.running || s.stopped {
		return false, nil
	}
	s.stopped = true
	r.interrupt(s.id)
	r.note(s, now, "turn interrupted", reason)
	return true, nil
}

// Hold says that the session has work of the given kind until release is
// called. More calls of release do nothing. The error is [ErrUnknown],
// [ErrShutdown] or a [*RefusedError]; release is then a function that does
// nothing.
func (r *Registry) Hold(id string, kind HoldKind) (release func(), err error) {
	now := r.lock()
	defer r.unlock(now)
	s, err := r.usable(id)
	if err == nil {
		err = s.hold(kind)
	}
	if err != nil {
		return func() {}, fmt.Errorf("holding a session: %w", err)
	}
	r.arm(s, now)
	r.note(s, now, "held", kind.String())
	return sync.OnceFunc(func() { r.release(s, kind) }), nil
}

func (s *record) hold(kind HoldKind) error {
	const most = 1<<16 - 1
	if kind >= holdKinds {
		return fmt.Errorf("there is no kind %d", kind)
	}
	if s.holds[kind] == most {
		return fmt.Errorf("session %q has %d of kind %q", s.id, most, kind)
	}
	s.holds[kind]++
	return nil
}

func (r *Registry) release(s *record, kind HoldKind) {
	now := r.lock()
	defer r.unlock(now)
	s.holds[kind]--
	if s.retired {
		return
	}
	if kind == Delegation && !s.attached {
		s.since = now // its result has just come: the client may come for it
	}
	r.arm(s, now)
	r.note(s, now, "released", kind.String())
}
