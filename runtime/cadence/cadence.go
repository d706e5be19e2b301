package cadence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/timequeue"
)

// MinPeriod is the shortest period of a poll, 1 ms: what polls more often than
// that is a busy loop, and below it the timers of some systems are no longer
// exact (Windows has a resolution of about 0.5 ms).
const MinPeriod = time.Millisecond

// Options change how a [Cadence] ticks. The zero value is a cadence without
// jitter that lets ticks of unlike periods share a wake-up.
type Options struct {
	// Jitter puts off each tick by a random part of its period, at most this
	// share of it, so that many programs that were started together do not
	// ask one server together. It is at least 0 and less than 1. Polls of an
	// equal period still share their tick, and the grid does not drift: two
	// runs are at least (1-Jitter) and at most (1+Jitter) periods apart, and
	// a twentieth of a period more or less unless Exact is set.
	Jitter float64

	// Exact keeps each tick where its period puts it. Without it a tick is put
	// off to a multiple of a step that is at most a twentieth of the period
	// and one second (1, 2, 10, 20, 100 or 200 ms, or 1 s), so that unlike
	// periods wake the machine together: 1,000 polls with periods from 5 to
	// 6 s do so 5 times a second instead of 180. A period that is a multiple of
	// its step, as 250 ms, 5 s and 1 m are, ticks as if Exact were set.
	Exact bool
}

// ErrClosed says that the cadence was closed before.
var ErrClosed = errors.New("the cadence is closed")

// A Cadence runs polls. It is safe for concurrent use, also by its polls.
type Cadence struct {
	jitter float64
	exact  bool
	epoch  time.Time // where the grid of all ticks starts
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	timer   *time.Timer // set to the first tick of queue, if there is one
	beats   map[time.Duration]*beat
	queue   timequeue.Queue[*beat] // by time since epoch
	running int                    // polls that run now
	closed  bool
	idle    chan struct{} // closed once closed and nothing runs
}

// New returns a cadence without polls. It starts no goroutine. It panics if
// the options are out of their bounds.
func New(opts Options) *Cadence {
	if !(opts.Jitter >= 0 && opts.Jitter < 1) {
		panic(fmt.Sprintf("cadence: a jitter of %v is not in [0, 1)", opts.Jitter))
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Cadence{
		jitter: opts.Jitter,
		exact:  opts.Exact,
		epoch:  time.Now(),
		ctx:    ctx,
		cancel: cancel,
		beats:  make(map[time.Duration]*beat),
		idle:   make(chan struct{}),
	}
}

// Every registers a visible poll, whose first run is at the next tick of its
// period: within one period from now (and its jitter), and perhaps at once
// after this call. A poll that has to run now, too, is revealed: see
// [Cadence.EveryHidden].
//
// The context of a run ends when the poll is stopped or the cadence closed.
// Every returns an error if the period is shorter than [MinPeriod], and
// [ErrClosed] after Close.
func (c *Cadence) Every(period time.Duration, run func(context.Context)) (*Poll, error) {
	return c.register(period, run, true)
}

// EveryHidden is like [Cadence.Every] for a poll that nobody looks at yet: it
// runs for the first time when Visible(true) reveals it.
func (c *Cadence) EveryHidden(period time.Duration, run func(context.Context)) (*Poll, error) {
	return c.register(period, run, false)
}

func (c *Cadence) register(period time.Duration, run func(context.Context), visible bool) (*Poll, error) {
	if period < MinPeriod {
		return nil, fmt.Errorf("registering a poll: a period of %v is shorter than %v", period, MinPeriod)
	}
	if run == nil {
		return nil, errors.New("registering a poll: there is nothing to run")
	}
	ctx, cancel := context.WithCancel(c.ctx)
	p := &Poll{cadence: c, period: period, run: run, ctx: ctx, cancel: cancel}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		cancel()
		return nil, fmt.Errorf("registering a poll: %w", ErrClosed)
	}
	if visible {
		c.show(p)
	}
	return p, nil
}

// Close stops all polls and waits until those that run have returned, or ctx
// is done; the error is then that of ctx, and the runs go on. A second Close
// waits too. A poll that closes its own cadence waits for itself until ctx
// ends.
func (c *Cadence) Close(ctx context.Context) error {
	c.shut()
	select {
	case <-c.idle:
		return nil
	default:
	}
	select {
	case <-c.idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the polls that run: %w", ctx.Err())
	}
}

func (c *Cadence) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	c.cancel()
	c.beats, c.queue = nil, timequeue.Queue[*beat]{}
	c.setTimer()
	if c.running == 0 {
		close(c.idle)
	}
}
