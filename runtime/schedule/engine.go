package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
	"github.com/holdfast-go/holdfast/runtime/internal/timequeue"
)

// Options say what an [Engine] works with. Store and at least one driver are
// needed.
type Options struct {
	// Store keeps the schedules.
	Store Store
	// Local drives schedules without a Route, External those with one. A
	// schedule whose driver is nil is left to the engine of another process.
	Local, External Driver
	// Ready reports whether a session has time for a turn now. A tick whose
	// session has none waits without being claimed, and so without a write. It
	// must not wait. Nil is always; the driver's ErrBusy is what counts.
	Ready func(session string) bool
	// Changed is called when a schedule of a session has begun, was paused,
	// resumed or stopped, or has ended, with no lock held. It must not wait. Give
	// it the Recheck of a session registry.
	Changed func(session string)
	// Calendar reads cron expressions; package cron has one. With nil there
	// are none.
	Calendar func(expression string) (Calendar, error)
	// Budget is how many ticks a loop has before it is paused: 0 is
	// [DefaultBudget], and a negative one is no limit.
	Budget int
	// Clock is the time; nil is [clock.System].
	Clock clock.Clock
	// Logger gets what is decided. Nil is [slog.Default] at the time of [New].
	Logger *slog.Logger
}

// A Calendar knows when something is due.
type Calendar interface {
	// Next returns the first time after t, or the zero time for never.
	Next(t time.Time) time.Time
}

// ErrClosed says that the engine was closed before.
var ErrClosed = errors.New("the engine is closed")

// An Engine drives the schedules of the sessions that were opened in it. It is
// safe for concurrent use.
type Engine struct {
	opts   Options
	budget int
	ctx    context.Context // of turns
	cancel context.CancelFunc

	mu      sync.Mutex
	items   map[key]*item
	queue   timequeue.Queue[*item] // items that do not run, due in wall time
	timer   clock.Timer
	timerAt int64 // in wall time, 0 if the timer is not set
	seen    int64 // the last wall time, to notice that the clock was set back
	running int
	closed  bool
	idle    chan struct{} // closed once closed and nothing runs
}

type key struct {
	session string
	kind    Kind
}

// An item is an active schedule that this engine drives, guarded by its lock.
type item struct {
	key     key // changes when the session's id does
	place   timequeue.Place
	running bool
	dropped bool
	again   time.Time // when to look again, if it was changed while it ran
}

func (i *item) QueuePlace() *timequeue.Place {
	return &i.place
}

// New returns an engine without schedules. It starts no goroutine.
func New(opts Options) (*Engine, error) {
	if opts.Store == nil || opts.Local == nil && opts.External == nil {
		return nil, errors.New("making a schedule engine: it needs a store and a driver")
	}
	if opts.Clock == nil {
		opts.Clock = clock.System()
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Engine{
		opts:   opts,
		budget: budgetOrDefault(opts.Budget),
		ctx:    ctx,
		cancel: cancel,
		items:  make(map[key]*item),
		idle:   make(chan struct{}),
	}, nil
}

// SoleEngine reports whether this engine is the only one of a live schedule of the
// session: an active one without a Route that was opened here and has ticks left.
// It reads the store unless no schedule of the session was opened here. It is
// what a session registry asks before it closes a session.
func (e *Engine) SoleEngine(ctx context.Context, session string) (bool, error) {
	if e.opts.Local == nil || !e.drives(session) {
		return false, nil
	}
	document, err := e.opts.Store.Read(ctx, session)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, s := range document.Schedules {
		if s.Route == "" && s.live(e.budget) {
			return true, nil
		}
	}
	return false, nil
}

func (e *Engine) drives(session string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.items[key{session, Loop}] != nil || e.items[key{session, Heartbeat}] != nil
}

// Close stops driving, ends the contexts of the turns that run and waits until
// they have returned and are written, or ctx is done; they go on then. A second
// Close waits too. Schedules stay as they are, for the next engine.
func (e *Engine) Close(ctx context.Context) error {
	e.shut()
	select {
	case <-e.idle:
		return nil
	default:
	}
	select {
	case <-e.idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the turns that run: %w", ctx.Err())
	}
}

func (e *Engine) shut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.closed = true
	e.cancel()
	if e.timer != nil {
		e.timer.Stop()
	}
	if e.running == 0 {
		close(e.idle)
	}
}

// now returns the wall time, without a monotonic part: what is written has to
// mean the same to the next process, and goes on while the machine sleeps.
func (e *Engine) now() time.Time {
	return e.opts.Clock.Now().Round(0).UTC()
}

func (e *Engine) calendar(expression string) (Calendar, error) {
	if e.opts.Calendar == nil {
		return nil, fmt.Errorf("cron expression %q: this engine reads none", expression)
	}
	calendar, err := e.opts.Calendar(expression)
	if err != nil {
		return nil, fmt.Errorf("cron expression %q: %w", expression, err)
	}
	return calendar, nil
}

func (e *Engine) changed(session string) {
	if e.opts.Changed != nil {
		e.opts.Changed(session)
	}
}

func (e *Engine) log(level slog.Level, session string, kind Kind, decision string, attrs ...any) {
	attrs = append([]any{"session", session, "kind", string(kind), "decision", decision}, attrs...)
	e.opts.Logger.Log(context.Background(), level, "schedule", attrs...)
}
