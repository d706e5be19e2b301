package loop

import (
	"log/slog"
	"os"
	"time"
)

// What a loop does unless told otherwise.
const (
	// DefaultQueue is how many callbacks may wait: 2 MiB of them, and far more
	// than a loop that is alive ever has.
	DefaultQueue = 1 << 16
	// DefaultWorkers is how many offloaded works run at a time. They wait for
	// disks and networks rather than for a processor.
	DefaultWorkers = 16
	// DefaultStallAfter is the longest that a callback may hold the loop without
	// a report: beyond a tenth of a second a person notices.
	DefaultStallAfter = 100 * time.Millisecond

	// DefaultProbeEvery, DefaultProbeTimeout and DefaultProbeStrikes are the
	// policy that the reference system has run with: a loop is declared wedged
	// two minutes after it stopped.
	DefaultProbeEvery   = 30 * time.Second
	DefaultProbeTimeout = 10 * time.Second
	DefaultProbeStrikes = 3
)

// An Option changes what [New] makes.
type Option func(*settings)

type settings struct {
	name       string
	queue      int
	workers    int
	stallAfter time.Duration
	probe      probePolicy
	logger     *slog.Logger
	onStall    func(Stall)
	onPanic    func(*PanicError) error
	onWedge    func(*WedgedError) error
}

type probePolicy struct {
	every, timeout time.Duration
	strikes        int
}

// WithName names the loop in reports. The default is "loop".
func WithName(name string) Option {
	return func(s *settings) { s.name = name }
}

// WithQueue bounds how many posted callbacks may wait, and how many offloaded
// works. A bound below 1 is [DefaultQueue].
func WithQueue(bound int) Option {
	return func(s *settings) { s.queue = orDefault(bound, DefaultQueue) }
}

// WithWorkers bounds how many offloaded works run at a time. A bound below 1 is
// [DefaultWorkers].
func WithWorkers(bound int) Option {
	return func(s *settings) { s.workers = orDefault(bound, DefaultWorkers) }
}

// WithStallAfter sets how long a callback may hold the loop before it is
// reported. A threshold of 0 or less is [DefaultStallAfter].
func WithStallAfter(threshold time.Duration) Option {
	return func(s *settings) { s.stallAfter = orDefault(threshold, DefaultStallAfter) }
}

// WithOnStall sets what is done with reports of stalls; without it they are
// logged as warnings. The function runs on the goroutine of [Loop.Run], never
// on the loop, and the watchdog waits for it.
func WithOnStall(report func(Stall)) Option {
	return func(s *settings) { s.onStall = report }
}

// WithOnPanic sets what a panic means: with a nil error the loop goes on, any
// other ends it and is what [Loop.Run] returns. Without it Run returns the
// *PanicError itself. The function runs on the loop, in place of what panicked.
func WithOnPanic(decide func(*PanicError) error) Option {
	return func(s *settings) { s.onPanic = decide }
}

// WithProbe sets when a loop is wedged: a probe is posted after each period,
// one that has not run in time is a strike, and so many strikes in a row are
// too many. Values of 0 or less are [DefaultProbeEvery], [DefaultProbeTimeout]
// and [DefaultProbeStrikes].
func WithProbe(every, timeout time.Duration, strikes int) Option {
	return func(s *settings) {
		s.probe = probePolicy{
			every:   orDefault(every, DefaultProbeEvery),
			timeout: orDefault(timeout, DefaultProbeTimeout),
			strikes: orDefault(strikes, DefaultProbeStrikes),
		}
	}
}

// WithOnWedge sets what is done with a wedged loop: with a nil error the
// watchdog counts strikes anew, any other is what [Loop.Run] returns. Without
// it the stacks are written to standard error and Run returns the *WedgedError.
// The function runs on the goroutine of Run, never on the loop.
func WithOnWedge(act func(*WedgedError) error) Option {
	return func(s *settings) { s.onWedge = act }
}

// WithLogger sets where the loop logs; the default is [slog.Default] at the
// time of the message. Nothing is ever logged from the loop itself.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) { s.logger = logger }
}

func newSettings(options []Option) settings {
	s := settings{name: "loop"}
	defaults := []Option{WithQueue(0), WithWorkers(0), WithStallAfter(0), WithProbe(0, 0, 0)}
	for _, option := range append(defaults, options...) {
		option(&s)
	}
	if s.onStall == nil {
		s.onStall = s.logStall
	}
	if s.onPanic == nil {
		s.onPanic = func(e *PanicError) error { return e }
	}
	if s.onWedge == nil {
		s.onWedge = dumpStacks
	}
	return s
}

func (s *settings) log() *slog.Logger {
	if s.logger != nil {
		return s.logger
	}
	return slog.Default()
}

func (s *settings) logStall(stall Stall) {
	s.log().Warn(stall.String(), "loop", stall.Loop, "held", stall.Held, "starved", stall.Starved,
		"late", stall.Late, "load", stall.Load.Minute, "cpus", stall.Load.CPUs, "stack", string(stall.Stack))
}

func dumpStacks(e *WedgedError) error {
	os.Stderr.Write(append(e.Stacks, '\n'))
	return e
}

func orDefault[T int | time.Duration](value, standard T) T {
	if value <= 0 {
		return standard
	}
	return value
}
