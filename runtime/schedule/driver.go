package schedule

import (
	"context"
	"errors"
)

// A Tick is one turn that is due.
type Tick struct {
	Session string
	Kind    Kind
	// Number is 1 for the first tick of the schedule. No two ticks that have
	// begun have the same.
	Number int
	Prompt string
	Until  string
	Route  string
}

// An Answer is what came of a tick.
type Answer struct {
	// Text is the answer itself. A loop that paces itself goes slower while it
	// says the same; a line with LOOP_COMPLETE or the schedule's Until alone
	// ends the loop.
	Text string
	// Done ends a loop.
	Done bool
	// Blocked pauses the schedule for this reason, if it is not empty.
	Blocked string
}

// ErrBusy is what a driver returns if the session has no time for a turn. The
// tick is given back and tried again 5 s later.
var ErrBusy = errors.New("the session is busy")

// A Driver runs the turns of ticks. There is one for the schedules of this
// process and one for those with a Route; which of them has a tick is decided by
// the claim, so that no tick has both. It is safe for concurrent use: ticks of
// different schedules run at once.
type Driver interface {
	// Begin takes the session's turn for the tick, or returns an error such as
	// ErrBusy; the tick is then given back as if it had never been due. No part
	// of the turn may have run when Begin returns: if the process dies before
	// Turn.Run is called, the tick comes again.
	Begin(ctx context.Context, tick Tick) (Turn, error)
}

// A Turn is one that a [Driver] has taken. Either Run or Abandon is called, once.
type Turn interface {
	// Run runs the turn and returns its answer, or an error if there is none;
	// the tick counts in both cases. The context ends when the engine closes.
	Run(ctx context.Context) (Answer, error)
	// Abandon gives the turn back unused.
	Abandon()
}

// A DriverFunc is a [Driver] whose turns need not be taken before they are run.
type DriverFunc func(ctx context.Context, tick Tick) (Answer, error)

// Begin implements [Driver].
func (f DriverFunc) Begin(_ context.Context, tick Tick) (Turn, error) {
	return funcTurn{f, tick}, nil
}

type funcTurn struct {
	f    DriverFunc
	tick Tick
}

func (t funcTurn) Run(ctx context.Context) (Answer, error) { return t.f(ctx, t.tick) }
func (t funcTurn) Abandon()                                {}

// The names of the drivers in a claim.
const (
	local    = "local"
	external = "external"
)

// driverOf returns the driver of a schedule by its route, nil if that is not this
// engine's.
func (e *Engine) driverOf(s *Schedule) (Driver, string) {
	if s.Route == "" {
		return e.opts.Local, local
	}
	return e.opts.External, external
}
