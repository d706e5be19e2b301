package schedule

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

var (
	// ErrExists says that the session has such a schedule already.
	ErrExists = errors.New("there is such a schedule already")
	// ErrNotPaused says that there is nothing to resume.
	ErrNotPaused = errors.New("the schedule is not paused")
	errNoSession = errors.New("a schedule needs a session")
)

// Create begins a schedule of a session and drives it if it has the driver. Its
// first tick is due at once, or when its calendar says. A loop's interval below
// [Floor] is raised to it. The error wraps [ErrExists] if the session has one of
// this kind that is active or paused. Create waits for the store.
func (e *Engine) Create(ctx context.Context, session string, spec Spec) (Schedule, error) {
	created, err := e.create(ctx, session, spec)
	if err != nil {
		return Schedule{}, fmt.Errorf("creating a %s of session %q: %w", spec.Kind, session, err)
	}
	e.log(slog.LevelInfo, session, spec.Kind, "created", "next", created.Next)
	e.follow(session, created)
	return created, nil
}

func (e *Engine) create(ctx context.Context, session string, spec Spec) (Schedule, error) {
	if session == "" {
		return Schedule{}, errNoSession
	}
	spec, err := spec.complete()
	if err != nil {
		return Schedule{}, err
	}
	created := Schedule{Spec: spec, ID: rand.Text(), Status: Active, Next: e.now()}
	if spec.Cron != "" {
		if created.Next, err = e.firstOf(spec); err != nil {
			return Schedule{}, err
		}
	}
	err = e.opts.Store.Update(ctx, session, func(d *Document) error {
		if d.MovedTo != "" {
			return errMoved
		}
		if old := d.Schedules[spec.Kind]; old != nil && (old.Status == Active || old.Status == Paused) {
			return ErrExists
		}
		copied := created
		d.Schedules[spec.Kind] = &copied
		return nil
	})
	return created, err
}

func (e *Engine) firstOf(spec Spec) (time.Time, error) {
	calendar, err := e.calendar(spec.Cron)
	if err != nil {
		return time.Time{}, err
	}
	next := calendar.Next(e.now())
	if next.IsZero() {
		return time.Time{}, fmt.Errorf("cron expression %q names no time to come", spec.Cron)
	}
	return next, nil
}

// Open drives the schedules that the store has of a session, as after a restart. A
// session without any is no error. What is overdue comes as one tick. If the store
// cannot be read, Open returns why, and the engine goes on trying every 5 s until
// the session is forgotten. Open waits for the store.
func (e *Engine) Open(ctx context.Context, session string) error {
	document, err := e.opts.Store.Read(ctx, session)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil && document.MovedTo != "" {
		return e.openMoved(ctx, session, document)
	}
	if err != nil {
		e.expect(session)
		return fmt.Errorf("opening the schedules of session %q: %w", session, err)
	}
	for _, s := range document.Schedules {
		e.follow(session, *s)
	}
	return nil
}

// expect drives whatever schedules the session may turn out to have.
func (e *Engine) expect(session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, kind := range []Kind{Loop, Heartbeat} {
		k := key{session, kind}
		if e.items[k] == nil {
			e.drive(k, e.now().Add(retryAfter))
		}
	}
}

// Pause keeps an active schedule from ticking until it is resumed. A tick that
// runs goes on. Pause waits for the store.
func (e *Engine) Pause(ctx context.Context, session string, kind Kind, reason string) error {
	return e.change(ctx, session, kind, "pausing", func(s *Schedule) error {
		if s.Status == Active {
			s.Status, s.Reason = Paused, reason
		}
		return nil
	})
}

// Resume makes a paused schedule active, with a new budget. Its next tick is due
// after its interval, but in 5 s at most. The error wraps [ErrNotPaused] if it is
// not paused. Resume waits for the store.
func (e *Engine) Resume(ctx context.Context, session string, kind Kind) error {
	return e.change(ctx, session, kind, "resuming", func(s *Schedule) error {
		if s.Status != Paused {
			return ErrNotPaused
		}
		s.Status, s.Reason = Active, ""
		s.BudgetFrom = s.Ticks
		switch {
		case s.Claim != nil: // a tick runs, and the next one counts from there
			return nil
		case s.Cron == "":
			s.Next = e.now().Add(min(s.delay(), retryAfter))
			return nil
		}
		next, err := e.nextAfter(s, e.now())
		s.Next = next
		return err
	})
}

// Stop ends a schedule. A tick that runs goes on. Stop waits for the store.
func (e *Engine) Stop(ctx context.Context, session string, kind Kind, reason string) error {
	return e.change(ctx, session, kind, "stopping", func(s *Schedule) error {
		if s.Status == Active || s.Status == Paused {
			s.Status, s.Reason = Stopped, reason
		}
		return nil
	})
}

// Schedules returns what the store has of a session, loops first. A session
// without any is no error.
func (e *Engine) Schedules(ctx context.Context, session string) ([]Schedule, error) {
	document, err := e.opts.Store.Read(ctx, session)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Schedule
	for _, s := range document.Schedules {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Schedule) int { return -cmp.Compare(a.Kind, b.Kind) })
	return all, nil
}

// Forget stops driving the schedules of a session, which another process may
// open then. A tick that runs goes on. Forget does not wait.
func (e *Engine) Forget(session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, kind := range []Kind{Loop, Heartbeat} {
		e.drop(key{session, kind})
	}
}

// Remove forgets a session and removes what the store has of it. Remove waits for
// the store.
func (e *Engine) Remove(ctx context.Context, session string) error {
	e.Forget(session)
	return e.opts.Store.Update(ctx, session, func(d *Document) error {
		d.Schedules, d.MovedTo = nil, ""
		return nil
	})
}

func (e *Engine) change(ctx context.Context, session string, kind Kind, what string, change func(*Schedule) error) error {
	var after Schedule
	err := e.opts.Store.Update(ctx, session, func(d *Document) error {
		s := d.Schedules[kind]
		switch {
		case d.MovedTo != "":
			return errMoved
		case s == nil:
			return ErrNotFound
		}
		e.voidClaim(s)
		err := change(s)
		after = *s
		return err
	})
	if err != nil {
		return fmt.Errorf("%s the %s of session %q: %w", what, kind, session, err)
	}
	e.log(slog.LevelInfo, session, kind, what, "status", string(after.Status), "reason", after.Reason)
	e.follow(session, after)
	return nil
}

// follow drives a schedule, or no longer, after it was changed.
func (e *Engine) follow(session string, s Schedule) {
	e.adopt(key{session, s.Kind}, s)
	e.changed(session)
}

// adopt sees to it that the schedule is looked at when its state says so. A state
// may be old when it gets here, if two callers change a schedule at once. So an
// item is dropped only by its own look at the store, and never here.
func (e *Engine) adopt(k key, s Schedule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	driver, _ := e.driverOf(&s)
	switch {
	case s.Status == Active && driver != nil:
		e.drive(k, s.Next)
	case e.items[k] != nil:
		e.drive(k, e.now())
	}
}

// drive queues an item, or says to the one that runs when it has to look again.
func (e *Engine) drive(k key, next time.Time) {
	if e.closed {
		return
	}
	it := e.items[k]
	if it == nil {
		it = &item{key: k}
		e.items[k] = it
	}
	if it.running {
		it.again = next
		return
	}
	e.queue.Set(it, next.UnixNano())
	e.setTimer(e.now().UnixNano())
}

// drop takes an item out. If it runs, its tick ends by itself.
func (e *Engine) drop(k key) {
	it := e.items[k]
	if it == nil {
		return
	}
	it.dropped = true
	e.queue.Remove(it)
	delete(e.items, k)
}
