package loop

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var (
	// ErrFull says that the queue is full and the callback was not kept.
	ErrFull = errors.New("loop: the queue is full")
	// ErrClosed says that the loop takes no more callbacks.
	ErrClosed = errors.New("loop: closed")
	// ErrOnLoop says that a callback tried to wait for the loop it runs on.
	ErrOnLoop = errors.New("loop: called on the loop it would wait for")
	// ErrRunning says that Run has been called before.
	ErrRunning = errors.New("loop: Run called twice")
	// ErrNoResult says that a callback or a work ended without returning: it
	// panicked or called runtime.Goexit.
	ErrNoResult = errors.New("loop: the function did not return")

	errNil = errors.New("loop: nil function")
)

// A Loop runs callbacks one after another on one goroutine. Make one with
// [New], and start it with [Loop.Run]. All methods are safe for concurrent use,
// and none of them waits for a callback except Run, Call and Close.
type Loop struct {
	settings settings
	epoch    time.Time // what the loop's clock counts from

	mu       sync.Mutex
	phase    phase
	started  bool // Run has been called
	stopping bool // end after the current callback
	asleep   bool // the loop's goroutine waits for wake, and nobody has sent yet
	queue    queue
	timers   timers
	ringing  int64 // the deadline that alarm is set for, 0 for none
	pool     pool

	wake  chan struct{} // holds at most one token, sent by who clears asleep
	alarm *time.Timer   // wakes the loop for its first timer
	over  chan struct{} // closed when Run returns

	turn  turn
	gauge gauge
	watch watch
}

type phase int

const (
	open     phase = iota
	draining       // takes no more callbacks, runs those it has
	ended
)

// New returns a loop that runs nothing until [Loop.Run]. Callbacks may be posted
// before; they are kept.
func New(options ...Option) *Loop {
	l := &Loop{
		settings: newSettings(options),
		epoch:    time.Now(),
		wake:     make(chan struct{}, 1),
		over:     make(chan struct{}),
	}
	l.turn.ended = make(chan struct{})
	l.pool.settled = make(chan struct{}, 1)
	l.alarm = time.AfterFunc(time.Hour, l.ring)
	l.alarm.Stop()
	l.watch.init(l)
	return l
}

// Run runs the loop until ctx ends, [Loop.Close] has drained it, a callback
// panics, or the watchdog finds it wedged. The callbacks run on a goroutine of
// their own, so that Run can return when that one cannot.
//
// Run returns nil after Close. When ctx ends it returns the cause: the current
// callback is the last one, what is queued is dropped, and the context of
// offloaded work is cancelled. Run waits for the current callback and for
// offloaded work to end, for the time-out of a probe at most (10 s, see
// [WithProbe]), and says so if they did not. Otherwise it returns the
// [*PanicError] or [*WedgedError]. A loop runs once: a second Run returns
// [ErrRunning].
func (l *Loop) Run(ctx context.Context) error {
	workContext, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := l.begin(workContext); err != nil {
		return err
	}
	defer l.finish()
	go l.turnOver()
	err := l.watch.run(ctx)
	cancel()
	return l.settle(err)
}

// Post hands a callback to the loop and returns at once. The error is [ErrFull]
// or [ErrClosed], and the callback then never runs.
func (l *Loop) Post(callback func()) error {
	var caller [1]uintptr
	runtime.Callers(2, caller[:]) // as callerOf, a fifth of Post faster
	return l.post(task{callback, caller[0], l.now()})
}

// Call posts a callback and waits until it has run. On the loop itself that
// would take for ever, and Call returns [ErrOnLoop].
//
// When ctx ends first, Call returns its cause, and a callback that has not begun
// never will. One that has begun goes on. The error is ErrNoResult if the
// callback did not return, and else [ErrFull] or [ErrClosed].
func (l *Loop) Call(ctx context.Context, callback func()) error {
	if callback == nil {
		return errNil
	}
	if l.onLoop() {
		return ErrOnLoop
	}
	c := &call{callback: callback, done: make(chan struct{})}
	if err := l.post(task{c.run, callerOf(1), l.now()}); err != nil {
		return err
	}
	return c.wait(ctx, l.over)
}

// Close ends the loop in good order: from now on it takes no callbacks, timers
// do not fire any more, and Run returns as soon as everything queued and
// offloaded has run, including what offloaded work brings back.
//
// Close waits for that until ctx ends, and then returns its cause while the
// draining goes on; end Run's context to cut it short. Called on the loop, Close
// does not wait and returns nil. A loop that has not been run yet is waited for
// only if it has something to run. Closing twice is fine.
func (l *Loop) Close(ctx context.Context) error {
	if !l.drain() || l.onLoop() {
		return nil
	}
	select {
	case <-l.over:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("draining the loop: %w", context.Cause(ctx))
	}
}

// now returns the time on the loop's clock, in nanoseconds. It is never 0.
func (l *Loop) now() int64 {
	return int64(time.Since(l.epoch)) + 1
}

func (l *Loop) begin(workContext context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.started {
		return ErrRunning
	}
	l.started = true
	l.startJobs(workContext)
	return nil
}

// post queues a callback within the bound.
func (l *Loop) post(t task) error {
	if t.callback == nil {
		return errNil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase >= draining {
		return ErrClosed
	}
	if l.queue.len() >= l.settings.queue {
		l.gauge.refused.Add(1)
		return ErrFull
	}
	l.queue.push(t)
	l.rouse()
	return nil
}

// deliver queues what the loop has promised room for.
func (l *Loop) deliver(t task) {
	if l.phase == ended {
		return
	}
	l.queue.push(t)
	l.rouse()
}

// drain takes no more callbacks. It reports whether there is a reason to wait.
func (l *Loop) drain() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == open {
		l.phase = draining
		l.timers.clear()
		l.rouse()
	}
	return l.started || l.queue.len()+l.pool.outstanding() > 0
}

// stop makes the current callback the last one.
func (l *Loop) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopping = true
	l.rouse()
}

// finish is the end of Run.
func (l *Loop) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase = ended
	l.stopping = true
	l.forget()
	l.alarm.Stop()
	close(l.over)
}

// forget lets go of everything that will not run.
func (l *Loop) forget() {
	l.queue.clear()
	l.timers.clear()
	l.pool.waiting.clear()
}

// settle waits for what Run started, for a bounded time, and returns the error
// of Run. A wedged loop is not waited for.
func (l *Loop) settle(err error) error {
	if l.watch.wedged {
		return err
	}
	patience := time.NewTimer(l.settings.probe.timeout)
	defer patience.Stop()
	select {
	case <-l.turn.ended:
	case <-patience.C:
		s := l.turn.look()
		return errors.Join(err, fmt.Errorf("loop: the callback posted at %v has not returned", s.origin))
	}
	for {
		left := l.jobsRunning()
		if left == 0 {
			return err
		}
		select {
		case <-l.pool.settled:
		case <-patience.C:
			return errors.Join(err, fmt.Errorf("loop: %d offloaded works have not returned", left))
		}
	}
}

// A call is a callback that somebody waits for.
type call struct {
	callback func()
	state    atomic.Int32
	returned bool
	done     chan struct{} // closed when the callback has ended
}

const (
	waiting int32 = iota
	begun
	abandoned
)

func (c *call) run() {
	if !c.state.CompareAndSwap(waiting, begun) {
		return
	}
	defer close(c.done)
	c.callback()
	c.returned = true
}

func (c *call) wait(ctx context.Context, over <-chan struct{}) error {
	select {
	case <-c.done:
		return c.result()
	case <-ctx.Done():
		c.state.CompareAndSwap(waiting, abandoned)
		return fmt.Errorf("waiting for the loop: %w", context.Cause(ctx))
	case <-over:
	}
	select {
	case <-c.done:
		return c.result()
	default:
		return ErrClosed
	}
}

func (c *call) result() error {
	if !c.returned {
		return ErrNoResult
	}
	return nil
}
