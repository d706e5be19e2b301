package loop

import (
	"context"
	"runtime/debug"
)

// Offload runs work outside the loop and then, with its result, on it. It never
// blocks: at most [WithWorkers] works run at a time, and the others wait for
// their turn in a queue with the bound of [WithQueue].
//
// The context of the work ends when [Loop.Run] returns or its context ends.
// After an error of Offload itself ([ErrFull], [ErrClosed]) neither function is
// called. Otherwise then is called exactly once, unless the loop ends before
// that in another way than by [Loop.Close]; works that have not begun by then
// never do.
//
// A panic of work is the loop's as if a callback had panicked ([WithOnPanic]).
// Where that lets the loop go on, then is called with the [*PanicError], and
// after a runtime.Goexit with [ErrNoResult].
func Offload[T any](l *Loop, work func(context.Context) (T, error), then func(T, error)) error {
	if work == nil || then == nil {
		return errNil
	}
	origin := callerOf(1)
	return l.offload(func(ctx context.Context) {
		var value T
		err := ErrNoResult
		defer func() {
			var failure *PanicError
			if thrown := recover(); thrown != nil {
				failure = &PanicError{thrown, Origin{origin}, debug.Stack()}
				err = failure
			}
			l.bringBack(origin, func() {
				if failure == nil || l.panicked(failure) {
					then(value, err)
				}
			})
		}()
		value, err = work(ctx)
	})
}

// A job runs a work and brings its result back, even if the work does not
// return.
type job func(context.Context)

// A pool runs jobs on goroutines that last as long as there are jobs.
type pool struct {
	context context.Context // nil until the loop runs
	waiting ring[job]
	active  int           // goroutines that run a job
	results int           // jobs whose result has not been brought back yet
	settled chan struct{} // holds at most one token, sent when active falls to 0
}

// outstanding returns how many results are still to come.
func (p *pool) outstanding() int {
	return p.results + p.waiting.len()
}

func (l *Loop) offload(j job) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase >= draining {
		return ErrClosed
	}
	if l.pool.outstanding() >= l.settings.queue {
		l.gauge.refused.Add(1)
		return ErrFull
	}
	l.pool.waiting.push(j)
	l.employ()
	return nil
}

// startJobs starts what was offloaded before the loop ran.
func (l *Loop) startJobs(ctx context.Context) {
	l.pool.context = ctx
	l.employ()
}

// employ starts goroutines for waiting jobs, up to the bound. The lock is held.
func (l *Loop) employ() {
	p := &l.pool
	for p.context != nil && p.waiting.len() > 0 && p.active < l.settings.workers {
		p.active++
		p.results++
		go l.labour(p.context, p.waiting.pop())
	}
}

// labour runs one job on a goroutine of its own, because a job may end its
// goroutine.
func (l *Loop) labour(ctx context.Context, j job) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pool.active--
		if l.phase != ended {
			l.employ()
		}
		if l.pool.active == 0 {
			select {
			case l.pool.settled <- struct{}{}:
			default:
			}
		}
	}()
	j(ctx)
}

// bringBack queues the result of a job.
func (l *Loop) bringBack(origin uintptr, then func()) {
	due := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pool.results--
	l.deliver(task{then, origin, due})
}

func (l *Loop) jobsRunning() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pool.waiting.clear()
	return l.pool.active
}
