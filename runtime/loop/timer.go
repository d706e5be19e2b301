package loop

import (
	"container/heap"
	"time"
)

// A Timer runs a callback on the loop later, once or again and again. Make one
// with [Loop.After] or [Loop.Every].
type Timer struct {
	loop     *Loop
	callback func()
	origin   uintptr
	due      int64
	period   int64 // 0 for once
	order    uint64
	place    int // in the heap, -1 when not in it
}

// After runs a callback on the loop once, when d has passed; a d of 0 or less
// is due at once. It panics if the callback is nil. On a closed loop the timer
// never fires.
func (l *Loop) After(d time.Duration, callback func()) *Timer {
	return l.schedule(d, 0, callback, callerOf(1))
}

// Every runs a callback on the loop each time d has passed, counted from now
// and not from the end of the callback. Ticks that the loop was too busy for
// are run as one. Every panics if d is not positive or the callback is nil. On a
// closed loop the timer never fires.
func (l *Loop) Every(d time.Duration, callback func()) *Timer {
	if d <= 0 {
		panic("loop: Every needs a positive period")
	}
	return l.schedule(d, d, callback, callerOf(1))
}

// Stop keeps the timer from firing again and reports whether it would have.
// Called on the loop, Stop is final: the callback does not run any more. Called
// elsewhere, the callback may be running right now.
func (t *Timer) Stop() bool {
	t.loop.mu.Lock()
	defer t.loop.mu.Unlock()
	if t.place < 0 {
		return false
	}
	t.loop.timers.remove(t)
	return true
}

func (l *Loop) schedule(d, period time.Duration, callback func(), origin uintptr) *Timer {
	if callback == nil {
		panic("loop: nil callback")
	}
	t := &Timer{
		loop:     l,
		callback: callback,
		origin:   origin,
		due:      l.deadline(d),
		period:   int64(period),
		place:    -1,
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase >= draining {
		return t
	}
	l.timers.add(t)
	if t.place == 0 {
		l.rouse()
	}
	return t
}

// deadline returns the time d from now on the loop's clock. A d that is out of
// range is for ever.
func (l *Loop) deadline(d time.Duration) int64 {
	const forever = 1<<63 - 1
	now := l.now()
	if int64(d) > forever-now {
		return forever
	}
	return now + max(0, int64(d))
}

// timers is a heap by deadline, and by age where deadlines are equal, which
// internal/timequeue does not keep apart.
type timers struct {
	heap  byDeadline
	order uint64
}

func (ts *timers) add(t *Timer) {
	ts.order++
	t.order = ts.order
	heap.Push(&ts.heap, t)
}

func (ts *timers) remove(t *Timer) {
	heap.Remove(&ts.heap, t.place)
}

func (ts *timers) clear() {
	for _, t := range ts.heap {
		t.place = -1
	}
	ts.heap = nil
}

// next returns the first deadline, 0 if there is none.
func (ts *timers) next() int64 {
	if len(ts.heap) == 0 {
		return 0
	}
	return ts.heap[0].due
}

func (ts *timers) due(now int64) bool {
	return len(ts.heap) > 0 && ts.heap[0].due <= now
}

// fire returns the callback of the first timer, and moves the timer to its next
// deadline after now.
func (ts *timers) fire(now int64) task {
	t := ts.heap[0]
	fired := task{t.callback, t.origin, t.due}
	if t.period == 0 {
		ts.remove(t)
		return fired
	}
	t.due += t.period * (1 + (now-t.due)/t.period)
	ts.order++
	t.order = ts.order
	heap.Fix(&ts.heap, 0)
	return fired
}

type byDeadline []*Timer

func (h byDeadline) Len() int { return len(h) }

func (h byDeadline) Less(i, j int) bool {
	if h[i].due != h[j].due {
		return h[i].due < h[j].due
	}
	return h[i].order < h[j].order
}

func (h byDeadline) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

func (h *byDeadline) Push(x any) {
	t := x.(*Timer)
	t.place = len(*h)
	*h = append(*h, t)
}

func (h *byDeadline) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.place = -1
	return t
}
