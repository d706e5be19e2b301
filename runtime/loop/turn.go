package loop

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A turn is the state of the loop's goroutine. The watchdog reads the atomic
// part; the rest belongs to the goroutine until ended is closed.
type turn struct {
	number atomic.Uint64  // odd while a callback runs
	start  atomic.Int64   // when it began, on the loop's clock
	origin atomic.Uintptr // where it was posted
	id     atomic.Uint64  // the goroutine's, 0 before it runs

	clock     int64 // the loop's clock when it was last read
	timerLast bool  // the last callback was a timer's
	failure   error // why the loop ends before its time
	ended     chan struct{}
}

// A sighting is what the watchdog sees of a turn.
type sighting struct {
	number uint64
	start  int64
	origin Origin
	busy   bool
}

// look returns a consistent view of the current turn.
func (t *turn) look() sighting {
	for {
		number := t.number.Load()
		s := sighting{number, t.start.Load(), Origin{t.origin.Load()}, number%2 == 1}
		if t.number.Load() == number {
			return s
		}
	}
}

// turnOver is the loop's goroutine.
func (l *Loop) turnOver() {
	finished := false
	defer func() {
		if !finished {
			l.turn.failure = l.vanished()
		}
		close(l.turn.ended)
	}()
	l.turn.id.Store(goroutineID())
	l.turn.clock = l.now()
	for l.turn.failure == nil {
		t, ok := l.next()
		if !ok {
			break
		}
		l.execute(t)
	}
	finished = true
}

// next waits for the next callback. It returns false when the loop is to end.
func (l *Loop) next() (task, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.stopping {
			return task{}, false
		}
		if t, ok := l.take(); ok {
			return t, true
		}
		if l.phase == draining && l.pool.outstanding() == 0 {
			return task{}, false
		}
		l.sleep()
	}
}

// take returns what is due: a timer and a queued callback take turns.
func (l *Loop) take() (task, bool) {
	queued := l.queue.len() > 0
	if l.timers.due(l.turn.clock) && !(queued && l.turn.timerLast) {
		l.turn.timerLast = true
		return l.timers.fire(l.turn.clock), true
	}
	l.turn.timerLast = false
	if !queued {
		return task{}, false
	}
	return l.queue.pop(), true
}

// sleep waits, unlocked, until there may be something to do. The clock is read
// no more often than needed: it is most of what a turn costs.
func (l *Loop) sleep() {
	if at := l.timers.next(); at != 0 && at != l.ringing {
		l.turn.clock = l.now()
		if at <= l.turn.clock {
			return
		}
		l.ringing = at
		l.alarm.Reset(time.Duration(at - l.turn.clock))
	}
	l.asleep = true
	l.mu.Unlock()
	<-l.wake
	l.turn.clock = l.now()
	l.mu.Lock()
}

// rouse wakes the loop's goroutine if it sleeps. The lock is held.
func (l *Loop) rouse() {
	if l.asleep {
		l.asleep = false
		l.wake <- struct{}{}
	}
}

// ring is what the alarm does.
func (l *Loop) ring() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ringing = 0
	l.rouse()
}

// execute runs one callback and measures it. The clock is read once, when the
// callback has ended: that is also when the next one begins.
func (l *Loop) execute(t task) {
	start := l.turn.clock
	l.gauge.lag.add(start - t.due)
	l.turn.start.Store(start)
	l.turn.origin.Store(t.origin)
	number := l.turn.number.Add(1)
	l.watch.arm(start, start)

	l.protect(t)

	l.turn.number.Add(1)
	l.turn.clock = l.now()
	held := l.turn.clock - start
	l.gauge.held.add(held)
	if held >= int64(l.settings.stallAfter) {
		l.watch.overran(overrun{number, start, held, Origin{t.origin}})
	}
}

// protect runs the callback and turns a panic into a *PanicError.
func (l *Loop) protect(t task) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			l.panicked(&PanicError{value, Origin{t.origin}, debug.Stack()})
		}
	}()
	t.callback()
	returned = true
}

// onLoop reports whether the caller is the loop's goroutine. Asking the runtime
// costs a microsecond, so the idle loop is asked first.
func (l *Loop) onLoop() bool {
	return l.turn.number.Load()%2 == 1 && l.turn.id.Load() == goroutineID()
}
