package warmup

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Mode says what fires a warm-up besides its triggers.
type Mode int

const (
	// OnTrigger waits for a trigger, without a clock.
	OnTrigger Mode = iota
	// Eager fires when it is armed, as if it were triggered at once.
	Eager
	// Delayed fires by itself after Options.Delay, if no trigger came before.
	Delayed
)

// Options say when and how a warm-up runs. The zero value waits for a trigger
// and keeps an error for good.
type Options struct {
	Mode Mode
	// Delay is that of Delayed, and positive; in the other modes it is 0.
	Delay time.Duration
	// Configured reports whether there is anything to warm up; nil means yes.
	// Each trigger before the first run asks it, from the goroutine of that
	// trigger, perhaps several at once: it has to be quick and safe for
	// concurrent use.
	Configured func() bool
	// Retry has the next trigger after a failed run run the work again.
	Retry bool
}

// ErrStopped says that the warm-up was stopped before it had run.
var ErrStopped = errors.New("the warm-up was stopped")

// A WarmUp is work that is armed and fired once. It is safe for concurrent use.
type WarmUp struct {
	ctx  context.Context
	stop context.CancelFunc
	work func(context.Context) error
	opts Options

	mu   sync.Mutex
	slot *run // the run that took the slot; nil until then
}

// A run is one run of the work.
type run struct {
	done chan struct{}
	err  error // set before done is closed
}

// Arm prepares work to be fired and returns at once. The work gets a context
// that ends with ctx or by Stop, not when the work returns: what it started
// may live on it. Once it has ended, nothing fires any more.
// Arm panics if work is nil or the options contradict each other.
func Arm(ctx context.Context, work func(context.Context) error, opts Options) *WarmUp {
	if err := check(work, opts); err != nil {
		panic("warmup: " + err.Error())
	}
	w := &WarmUp{work: work, opts: opts}
	w.ctx, w.stop = context.WithCancel(ctx)
	switch opts.Mode {
	case Eager:
		w.Trigger()
	case Delayed:
		timer := time.AfterFunc(opts.Delay, func() { w.Trigger() })
		context.AfterFunc(w.ctx, func() { timer.Stop() })
	}
	return w
}

func check(work func(context.Context) error, opts Options) error {
	switch {
	case work == nil:
		return errors.New("there is no work")
	case opts.Mode < OnTrigger || opts.Mode > Delayed:
		return fmt.Errorf("there is no mode %d", opts.Mode)
	case opts.Mode == Delayed && opts.Delay <= 0:
		return fmt.Errorf("a delay of %v is not positive", opts.Delay)
	case opts.Mode != Delayed && opts.Delay != 0:
		return errors.New("there is a delay, and the mode is not Delayed")
	}
	return nil
}

// Trigger fires the warm-up if nothing has fired it yet and something is
// configured, and reports whether it did. It does not wait for the work.
func (w *WarmUp) Trigger() bool {
	_, fired := w.fire()
	return fired
}

// Wait triggers the warm-up and waits until the work has ended or ctx is done.
// It returns the error of the work as it is, or that of ctx. It returns nil if
// nothing is configured, and an error that wraps [ErrStopped] if the warm-up
// was stopped before it fired, or while the work goes on.
func (w *WarmUp) Wait(ctx context.Context) error {
	r, _ := w.fire()
	if r == nil {
		return w.stopped()
	}
	select {
	case <-r.done:
		return r.err
	default:
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the warm-up: %w", ctx.Err())
	case <-w.ctx.Done():
		return w.stopped()
	}
}

// Stop disarms the warm-up and ends the context of its work. It does not wait.
func (w *WarmUp) Stop() {
	w.stop()
}

func (w *WarmUp) stopped() error {
	if w.ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrStopped, context.Cause(w.ctx))
}

// fire returns the run that has the slot, and whether this call began it.
// There is none if nothing is configured or the warm-up was stopped.
func (w *WarmUp) fire() (r *run, fired bool) {
	if r := w.taken(); r != nil {
		return r, false
	}
	if w.opts.Configured != nil && !w.opts.Configured() {
		return w.taken(), false // Another trigger may have found it configured.
	}
	return w.take()
}

// taken returns the run that has the slot, if the slot is not to be had.
func (w *WarmUp) taken() *run {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.free() {
		return nil
	}
	return w.slot
}

// take takes the slot and begins the work, unless another was first.
func (w *WarmUp) take() (r *run, fired bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.free() {
		return w.slot, false
	}
	if w.ctx.Err() != nil {
		return w.slot, false
	}
	w.slot = &run{done: make(chan struct{})}
	go w.execute(w.slot)
	return w.slot, true
}

// free reports whether the slot can be taken: nothing has run, or it failed
// and is to be retried.
func (w *WarmUp) free() bool {
	if w.slot == nil {
		return true
	}
	select {
	case <-w.slot.done:
		return w.opts.Retry && w.slot.err != nil
	default:
		return false
	}
}

func (w *WarmUp) execute(r *run) {
	defer close(r.done)
	r.err = errors.New("the work ended its goroutine")
	r.err = w.work(w.ctx)
}
