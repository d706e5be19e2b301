package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
)

// Never as a duration of [Options] switches off what would happen after it.
const Never time.Duration = -1

// GraceVariable is the environment variable that sets the grace in seconds. It
// wins over [Options], so that it can be changed where the program cannot.
const GraceVariable = "HOLDFAST_ORPHAN_GRACE_S"

// What [Options] leaves open. The values are those of the system that these
// reapers were modelled on, where they have been in use for long.
const (
	// DefaultGrace is longer than a page takes to load again and a phone to
	// change its network.
	DefaultGrace = 20 * time.Second
	// DefaultActivityStale is longer than a slow model or build is silent.
	DefaultActivityStale = 600 * time.Second
	// DefaultTTL is a working day without the session.
	DefaultTTL = 6 * time.Hour
	// DefaultScan is how often a session that was spared is looked at again.
	DefaultScan = 300 * time.Second
	// DefaultBound is how long a hook, an interrupt and a question may take.
	DefaultBound = 5 * time.Second
)

const (
	// pollEvery and maxPolls give an interrupted turn a minute to end.
	pollEvery = time.Second
	maxPolls  = 60
	// sleepGap is how late a timer must be for the process to have slept: a
	// busy machine delays a timer by milliseconds, a closed lid by minutes.
	sleepGap = 5 * time.Second
	// batch bounds for how many sessions the lock is held at once.
	batch = 256
	// closers bounds how many sessions are torn down at once.
	closers = 16
)

// Options change how a [Registry] works. The zero value has the defaults. Where
// a duration is 0 the default is meant, and [Never] switches it off.
type Options struct {
	// Grace is how long a client may be gone before its idle session is an
	// orphan. [GraceVariable] wins over it; there 0 means Never. A grace of
	// Never reaps no orphan.
	Grace time.Duration
	// ActivityStale is how long the turn of a session without a client may
	// be silent before it is interrupted. With Never no silence is allowed:
	// a turn is interrupted when the grace ends.
	ActivityStale time.Duration
	// TTL is how long a session without a client may be idle, whatever the
	// grace.
	TTL time.Duration
	// Scan is how often a session that was spared is looked at again, and how
	// often it is made sure that no session has lost its timer. It cannot be
	// switched off.
	Scan time.Duration
	// MaxLive is the most sessions that are kept if some of them can be
	// evicted: those that a client left the longest ago go first. 0 is no
	// limit. Sessions with a client or with work are kept above it.
	MaxLive int

	// Schedules is asked before any session is reaped. Nil is nobody's.
	Schedules Schedules
	// QuestionBound is how long the reapers wait for Schedules to answer about
	// up to 256 sessions. What is not answered then is "no".
	QuestionBound time.Duration
	// Interrupt is called once for a turn that has to end, in a goroutine of
	// its own, with a context that ends after InterruptBound. Whether the turn
	// ends is seen from [Turn.End] alone. Nil leaves turns to end by themselves.
	Interrupt      func(ctx context.Context, session string) error
	InterruptBound time.Duration
	// Hooks are run one after another for a session that was closed; up to 16
	// sessions are torn down at once.
	Hooks []Hook
	// Settle is how long the hooks of a session that [Registry.Close] closed in
	// the middle of a turn wait for the turn to end. Never waits not at all.
	Settle time.Duration

	// Clock is the time; nil is [clock.System].
	Clock clock.Clock
	// Logger gets every decision with its reason; see the package's
	// documentation. Nil is [slog.Default] at the time of [New].
	Logger *slog.Logger
}

// Schedules knows which sessions have a live schedule.
type Schedules interface {
	// SoleEngine reports whether this process is the only engine of a live
	// schedule of the session: if the session were closed, nobody would run
	// the schedule any more. A schedule that another process drives, or that
	// is paused, stopped, finished or out of its budget, does not count. An
	// error counts as "no": a store that cannot be read must not keep
	// sessions for ever.
	//
	// SoleEngine is called without a lock of the registry held and may be
	// called from several goroutines at once. It may read a disk; its context
	// ends when the answer is not waited for any longer.
	SoleEngine(ctx context.Context, session string) (bool, error)
}

// A Hook is a step of tearing a session down.
type Hook struct {
	// Name is for the log.
	Name string
	// Bound is how long Run may take; 0 is [DefaultBound]. After it the
	// context ends, and the next hook is run whether or not Run has returned.
	Bound time.Duration
	// Run does the step. Its error is logged, and the next hook is run.
	Run func(ctx context.Context, closing Closing) error
}

// A Closing is what a hook is told about the session that is torn down.
type Closing struct {
	Session string
	// Code is what a socket of the session is to be closed with.
	Code Code
	// Reaper is who closed the session.
	Reaper Reaper
	// Reason says why, for people.
	Reason string
}

func (o Options) withDefaults() (Options, error) {
	if err := o.validate(); err != nil {
		return o, err
	}
	grace, err := graceFromEnvironment(o.Grace)
	if err != nil {
		return o, err
	}
	o.Grace = orDefault(grace, DefaultGrace)
	o.ActivityStale = orDefault(o.ActivityStale, DefaultActivityStale)
	o.TTL = orDefault(o.TTL, DefaultTTL)
	o.Scan = orDefault(o.Scan, DefaultScan)
	o.QuestionBound = orDefault(o.QuestionBound, DefaultBound)
	o.InterruptBound = orDefault(o.InterruptBound, DefaultBound)
	o.Settle = orDefault(o.Settle, DefaultBound)
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o, nil
}

func (o Options) validate() error {
	for name, d := range map[string]time.Duration{
		"Grace": o.Grace, "ActivityStale": o.ActivityStale, "TTL": o.TTL, "Settle": o.Settle,
	} {
		if d < 0 && d != Never {
			return fmt.Errorf("%s is %v: want a positive duration, 0 for the default or Never", name, d)
		}
	}
	for name, d := range map[string]time.Duration{
		"Scan": o.Scan, "QuestionBound": o.QuestionBound, "InterruptBound": o.InterruptBound,
	} {
		if d < 0 {
			return fmt.Errorf("%s is %v: want a positive duration or 0 for the default", name, d)
		}
	}
	if o.MaxLive < 0 {
		return fmt.Errorf("MaxLive is %d: want a number of sessions or 0 for no limit", o.MaxLive)
	}
	for i, hook := range o.Hooks {
		if hook.Run == nil || hook.Bound < 0 {
			return fmt.Errorf("hook %d (%q): want a Run and a Bound that is not negative", i, hook.Name)
		}
	}
	return nil
}

func orDefault(d, byDefault time.Duration) time.Duration {
	if d == 0 {
		return byDefault
	}
	return d
}

// graceFromEnvironment returns the grace that GraceVariable sets, or the given
// one if it sets none. A value that cannot be meant is an error: a default in
// its place would reap what somebody wanted to keep.
func graceFromEnvironment(grace time.Duration) (time.Duration, error) {
	text := os.Getenv(GraceVariable)
	if text == "" {
		return grace, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 || seconds > maxGrace.Seconds() {
		return 0, fmt.Errorf("%s is %q: want seconds from 0 (never) to %.0f", GraceVariable, text, maxGrace.Seconds())
	}
	if seconds == 0 {
		return Never, nil
	}
	grace = time.Duration(seconds * float64(time.Second))
	if grace == 0 {
		return 0, fmt.Errorf("%s is %q: want 0 (never) or at least a nanosecond", GraceVariable, text)
	}
	return grace, nil
}

// maxGrace is what is still taken for a number that somebody meant.
const maxGrace = 10 * 365 * 24 * time.Hour

var errNoID = errors.New("a session needs an id")
