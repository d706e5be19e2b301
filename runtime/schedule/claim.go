package schedule

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// This file is what is written of a tick, in three steps: it is claimed, it is
// started, it has ended. Each is one Update, so a process can die between any two
// and the next one knows what to do (recover).

const (
	// retryAfter is when a tick that was given back, or that the store had no
	// answer for, is tried again; and at most how long a resumed schedule waits.
	retryAfter = 5 * time.Second
	// jumpSlack is how much further away than its interval a tick may be before
	// the clock must have been set back.
	jumpSlack = time.Minute
)

// A claim is a tick that this engine has taken.
type claim struct {
	token  string
	tick   Tick
	driver Driver
}

// tokenPrefix begins the tokens of this process: all its engines know by it which
// claims are theirs where there are no process identities.
var tokenPrefix = rand.Text() + "."

func newToken() string { return tokenPrefix + rand.Text() }

// errNotClaimed says that a claim is not this one's any more.
var errNotClaimed = errors.New("the tick is not claimed by this one any more")

// errMoved says that the document is on its way to another session.
var errMoved = errors.New("the schedules are moving to another session")

// A look is what was found of a schedule: a claim if it was due, and otherwise
// when to look again, the zero time for never.
type look struct {
	claim   *claim
	next    time.Time
	changed bool // its status has changed
}

// claim takes the tick if it is due, and writes that before anything is run.
func (e *Engine) claim(ctx context.Context, session string, kind Kind) (look, error) {
	var found look
	err := e.opts.Store.Update(ctx, session, func(d *Document) error {
		found = look{}
		if d.MovedTo != "" {
			return errMoved
		}
		s := d.Schedules[kind]
		if s == nil {
			return errUnchanged
		}
		now := e.now()
		repaired := e.repair(s, now)
		found.changed = e.retireIfExhausted(s)
		e.take(session, s, now, &found)
		if found.claim == nil && !repaired && !found.changed {
			return errUnchanged
		}
		return nil
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return look{}, err
	}
	return found, nil
}

// take claims the tick in the schedule if it is due and nobody else has it.
func (e *Engine) take(session string, s *Schedule, now time.Time, found *look) {
	driver, name := e.driverOf(s)
	switch {
	case s.Status != Active || driver == nil:
		return
	case s.Claim != nil:
		found.next = now.Add(max(retryAfter, s.Next.Sub(now)))
		return
	case s.Next.After(now):
		found.next = s.Next
		return
	}
	// Due again even if this process dies now, but not at once.
	s.Next = now.Add(s.delay())
	if next, err := e.nextAfter(s, now); err == nil {
		s.Next = next
	}
	s.Ticks++
	s.Claim = &ClaimRecord{Token: newToken(), Owner: procid.Self(), Driver: name, At: now}
	found.claim = &claim{
		token:  s.Claim.Token,
		driver: driver,
		tick: Tick{
			Session: session, Kind: s.Kind, Number: s.Ticks,
			Prompt: s.Prompt, Until: s.Until, Route: s.Route,
		},
	}
}

// repair puts right what a dead process and a clock that was set back have left.
func (e *Engine) repair(s *Schedule, now time.Time) bool {
	repaired := e.voidClaim(s)
	if s.Status == Active && s.Cron == "" && s.Next.Sub(now) > s.delay()+jumpSlack {
		s.Next = now.Add(s.delay())
		repaired = true
	}
	return repaired
}

// voidClaim ends the claim of an owner that is gone. A turn that had begun counts;
// one that had not is given back. The next tick stays where the claim has put it,
// so that a process which dies at every tick does not do so in a hot loop.
func (e *Engine) voidClaim(s *Schedule) bool {
	if s.Claim == nil || !e.ownerGone(s.Claim) {
		return false
	}
	if !s.Claim.Started {
		s.Ticks--
	}
	s.Claim = nil
	return true
}

// ownerGone reports whether nobody will end the claim. What cannot be told is a no.
func (e *Engine) ownerGone(c *ClaimRecord) bool {
	if c.Owner.IsZero() { // made where there are no identities
		return !strings.HasPrefix(c.Token, tokenPrefix)
	}
	if c.Owner == procid.Self() {
		return false
	}
	state := c.Owner.State()
	return state == procid.Gone || state == procid.Zombie
}

// start writes that the turn begins: from here on the tick counts.
func (e *Engine) start(ctx context.Context, session string, c *claim) error {
	return e.updateClaimed(ctx, session, c, func(s *Schedule) error {
		s.Claim.Started = true
		return nil
	})
}

// abandon gives the tick back.
func (e *Engine) abandon(ctx context.Context, session string, c *claim) (next time.Time, err error) {
	err = e.updateClaimed(ctx, session, c, func(s *Schedule) error {
		s.Ticks--
		s.Claim = nil
		s.Next = e.now().Add(min(s.delay(), retryAfter))
		next = s.nextIfActive()
		return nil
	})
	return next, err
}

// end writes what came of the tick. The next one is due an interval after now.
func (e *Engine) end(ctx context.Context, session string, c *claim, answer Answer, failed error) (found look, err error) {
	err = e.updateClaimed(ctx, session, c, func(s *Schedule) error {
		found = look{}
		s.Claim = nil
		if failed == nil {
			s.pace(answer.Text)
		}
		found.changed = s.conclude(answer) || e.retireIfExhausted(s)
		if next, err := e.nextAfter(s, e.now()); err == nil {
			s.Next = next
		} else if s.Status == Active {
			s.Status, s.Reason = Paused, err.Error()
			found.changed = true
		}
		found.next = s.nextIfActive()
		return nil
	})
	return found, err
}

// conclude changes the status as the answer says, if it does.
func (s *Schedule) conclude(answer Answer) bool {
	switch {
	case s.Status != Active:
		return false
	case s.Kind == Loop && (answer.Done || s.saysDone(answer.Text)):
		s.Status, s.Reason = Done, "its answer says so"
	case answer.Blocked != "":
		s.Status, s.Reason = Paused, answer.Blocked
	default:
		return false
	}
	return true
}

func (e *Engine) retireIfExhausted(s *Schedule) bool {
	if s.Status != Active || s.Claim != nil {
		return false
	}
	status, reason := s.exhausted(e.budget)
	if status == Active {
		return false
	}
	s.Status, s.Reason = status, reason
	return true
}

// nextIfActive returns when the next tick is due, the zero time for never.
func (s *Schedule) nextIfActive() time.Time {
	if s.Status != Active {
		return time.Time{}
	}
	return s.Next
}

// updateClaimed changes a schedule whose tick is claimed by c.
func (e *Engine) updateClaimed(ctx context.Context, session string, c *claim, change func(*Schedule) error) error {
	return e.opts.Store.Update(ctx, session, func(d *Document) error {
		if d.MovedTo != "" {
			return errMoved
		}
		s := d.Schedules[c.tick.Kind]
		if s == nil || s.Claim == nil || s.Claim.Token != c.token {
			return errNotClaimed
		}
		return change(s)
	})
}

// nextAfter returns when the tick after one at now is due.
func (e *Engine) nextAfter(s *Schedule, now time.Time) (time.Time, error) {
	if s.Cron == "" {
		return now.Add(s.delay()), nil
	}
	calendar, err := e.calendar(s.Cron)
	if err != nil {
		return time.Time{}, err
	}
	next := calendar.Next(now)
	if floor := now.Add(s.delay()); !next.IsZero() && next.Before(floor) {
		next = calendar.Next(floor.Add(-time.Nanosecond))
	}
	if next.IsZero() {
		return time.Time{}, fmt.Errorf("cron expression %q names no time to come", s.Cron)
	}
	return next, nil
}
