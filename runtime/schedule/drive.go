package schedule

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

const (
	// longestWait is how long the timer is set for at most. Timers of the
	// monotonic clock stand still while the machine sleeps; so after a sleep an
	// overdue tick comes within this time.
	longestWait = time.Minute
	// setBack is by how much the wall clock must go back to be looked into:
	// more than it is slewed by between two looks.
	setBack = int64(time.Second)
)

// fire is what the timer calls. It may come too early, too late or for nothing.
func (e *Engine) fire() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.timerAt = 0
	if e.closed {
		return
	}
	now := e.now().UnixNano()
	if now < e.seen-setBack {
		e.reviewAll(now)
	}
	e.seen = now
	for {
		it, ok := e.queue.Pop(now)
		if !ok {
			break
		}
		it.running = true
		e.running++
		go e.run(it)
	}
	e.setTimer(now)
}

// reviewAll looks at every schedule anew, as their due times mean nothing after
// the clock was set back.
func (e *Engine) reviewAll(now int64) {
	for _, it := range e.items {
		if !it.running {
			e.queue.Set(it, now)
		}
	}
}

// setTimer sets the timer to what is due first. One that comes too early is left
// alone.
func (e *Engine) setTimer(now int64) {
	due, ok := e.queue.First()
	if !ok || e.closed {
		return
	}
	due = min(due, now+int64(longestWait))
	if e.timerAt != 0 && e.timerAt <= due {
		return
	}
	e.timerAt = due
	wait := time.Duration(max(0, due-now))
	if e.timer == nil {
		e.timer = e.opts.Clock.AfterFunc(wait, e.fire)
		return
	}
	e.timer.Reset(wait)
}

// run takes and drives one tick, in a goroutine of its own, so that a store or a
// turn that hangs delays no other schedule.
func (e *Engine) run(it *item) {
	defer e.finished()
	session, kind := e.keyOf(it)
	if e.opts.Ready != nil && !e.opts.Ready(session) {
		e.requeue(it, e.now().Add(retryAfter))
		return
	}
	found, err := e.claim(context.Background(), session, kind)
	if err != nil {
		e.log(slog.LevelWarn, session, kind, "not claimed", "retry", retryAfter, "error", err)
		e.requeue(it, e.now().Add(retryAfter))
		return
	}
	if found.claim == nil {
		e.requeue(it, found.next)
	} else {
		e.requeue(it, e.runClaimed(it, found.claim, &found))
	}
	if found.changed {
		e.changed(e.sessionOf(it))
	}
}

// runClaimed runs the turn of a claimed tick and returns when the next one is due.
func (e *Engine) runClaimed(it *item, c *claim, found *look) (next time.Time) {
	turn, err := c.driver.Begin(e.ctx, c.tick)
	if err != nil {
		return e.giveBack(it, c, err)
	}
	if err := e.persist(it, func(session string) error {
		return e.start(context.Background(), session, c)
	}); err != nil {
		turn.Abandon()
		return e.giveBack(it, c, err)
	}
	answer, failed := turn.Run(e.ctx)
	if failed != nil {
		e.log(slog.LevelWarn, e.sessionOf(it), c.tick.Kind, "turn failed", "tick", c.tick.Number, "error", failed)
	}
	err = e.persist(it, func(session string) (err error) {
		*found, err = e.end(context.Background(), session, c, answer, failed)
		return err
	})
	return e.after(it, c, "ended", found.next, err)
}

// giveBack abandons a claim whose turn has not begun.
func (e *Engine) giveBack(it *item, c *claim, why error) (next time.Time) {
	err := e.persist(it, func(session string) (err error) {
		next, err = e.abandon(context.Background(), session, c)
		return err
	})
	e.log(slog.LevelDebug, e.sessionOf(it), c.tick.Kind, "given back", "tick", c.tick.Number, "reason", why)
	return e.after(it, c, "given back", next, err)
}

// after returns when to look at a schedule again whose tick is over. If that could
// not be written, the schedule is looked at all the same: somebody may have
// replaced it.
func (e *Engine) after(it *item, c *claim, what string, next time.Time, err error) time.Time {
	if err != nil {
		e.log(slog.LevelWarn, e.sessionOf(it), c.tick.Kind, "not written", "tick", c.tick.Number, "what", what, "error", err)
		return e.now().Add(retryAfter)
	}
	e.log(slog.LevelDebug, e.sessionOf(it), c.tick.Kind, what, "tick", c.tick.Number, "next", next)
	return next
}

// persist writes a step of a tick, again and again until the store has it, the
// tick is not this engine's any more, or the engine closes.
func (e *Engine) persist(it *item, write func(session string) error) error {
	for {
		session := e.sessionOf(it)
		err := write(session)
		switch {
		case err == nil:
			return nil
		case session != e.sessionOf(it): // it has moved meanwhile
		case errors.Is(err, errNotClaimed), !e.pause(retryAfter):
			return err
		}
	}
}

// pause waits, and reports whether the engine is still open.
func (e *Engine) pause(d time.Duration) bool {
	woken := make(chan struct{})
	timer := e.opts.Clock.AfterFunc(d, func() { close(woken) })
	defer timer.Stop()
	select {
	case <-woken:
		return true
	case <-e.ctx.Done():
		return false
	}
}

// requeue puts an item back, due at a time, or drops it for the zero time.
func (e *Engine) requeue(it *item, next time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	it.running = false
	if it.dropped || e.items[it.key] != it {
		return
	}
	if !it.again.IsZero() { // what was found may be older than the change
		next, it.again = it.again, time.Time{}
	}
	if next.IsZero() {
		delete(e.items, it.key)
		return
	}
	e.queue.Set(it, next.UnixNano())
	e.setTimer(e.now().UnixNano())
}

func (e *Engine) finished() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running--
	if e.closed && e.running == 0 {
		close(e.idle)
	}
}

func (e *Engine) keyOf(it *item) (session string, kind Kind) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return it.key.session, it.key.kind
}

func (e *Engine) sessionOf(it *item) string {
	session, _ := e.keyOf(it)
	return session
}
