package loop

import (
	"context"
	"sync/atomic"
	"time"
)

// A watch is the watchdog. It runs on the goroutine of Run and has one alarm,
// set for the moment at which the callback of that time would become a stall.
// When the alarm finds the loop idle it is not set again; the next callback
// sets it, at the cost of one atomic load for all others.
type watch struct {
	loop     *Loop
	alarm    *time.Timer
	due      atomic.Int64 // when the alarm is to ring, on the loop's clock
	unarmed  atomic.Bool
	overruns chan overrun

	wedged    bool
	reported  uint64 // the number of the turn that was last reported as ongoing
	starved   bool   // what that report said
	late      int64  // and how late the watchdog was
	freeSince int64  // when the watchdog last came out of a hook
	lastStack int64
}

// An overrun is a callback that has ended over the threshold.
type overrun struct {
	number      uint64
	start, held int64
	origin      Origin
}

// stackEvery is the least time between two stacks: taking one stops the world.
const stackEvery = int64(time.Second)

func (w *watch) init(l *Loop) {
	w.loop = l
	w.alarm = time.NewTimer(time.Hour)
	w.alarm.Stop()
	w.unarmed.Store(true)
	w.overruns = make(chan overrun, 64)
	w.lastStack = -stackEvery
}

// arm is called by the loop at the start of each callback.
func (w *watch) arm(start, now int64) {
	if w.unarmed.Load() && w.unarmed.CompareAndSwap(true, false) {
		w.set(start, now)
	}
}

// set makes the alarm ring when a callback that began at start becomes a stall.
func (w *watch) set(start, now int64) {
	due := start + int64(w.loop.settings.stallAfter)
	w.due.Store(due)
	w.alarm.Reset(time.Duration(due - now))
}

// overran is called by the loop at the end of a callback that took too long. It
// does not wait: where there are too many to report, they are still counted.
func (w *watch) overran(o overrun) {
	w.loop.gauge.stalls.Add(1)
	select {
	case w.overruns <- o:
	default:
	}
}

// run watches until the loop ends, is found wedged, or is told to stop.
func (w *watch) run(ctx context.Context) error {
	defer w.alarm.Stop()
	probe := newProber(w)
	defer probe.timer.Stop()
	for {
		select {
		case <-w.loop.turn.ended:
			w.reportEnded()
			return w.loop.turn.failure
		case <-ctx.Done():
			w.loop.stop()
			return context.Cause(ctx)
		case <-w.alarm.C:
			w.check()
		case o := <-w.overruns:
			w.report(o.stall(w))
		case <-probe.timer.C:
			if err := probe.tick(); err != nil {
				return err
			}
		}
	}
}

// check looks at the loop when the alarm has rung.
func (w *watch) check() {
	now := w.loop.now()
	s := w.loop.turn.look()
	if s.busy && s.number != w.reported && now-s.start >= int64(w.loop.settings.stallAfter) {
		w.reportOngoing(s, now)
	}
	w.rearm()
}

// rearm sets the alarm for the current callback, or leaves it to the next.
func (w *watch) rearm() {
	now := w.loop.now()
	s := w.loop.turn.look()
	if s.busy && s.number != w.reported {
		w.set(s.start, now)
		return
	}
	w.unarmed.Store(true)
	if again := w.loop.turn.look(); again.busy && again.number != s.number {
		w.arm(again.start, now)
	}
}

func (w *watch) reportOngoing(s sighting, now int64) {
	w.reported = s.number
	w.late = now - max(w.due.Load(), w.freeSince)
	w.starved = w.tooLate(w.late)
	stall := Stall{
		Origin:  s.origin,
		Ongoing: true,
		Held:    time.Duration(now - s.start),
		Starved: w.starved,
		Late:    time.Duration(max(0, w.late)),
	}
	if now-w.lastStack >= stackEvery {
		w.lastStack = now
		stack := stackOf(w.loop.turn.id.Load(), allStacks())
		if w.loop.turn.number.Load() == s.number {
			stall.Stack, stall.State = stack, stateOf(stack)
		}
	}
	w.report(stall)
}

// stall makes the report on a callback that has ended. If it was not reported
// before, the watchdog did not run between the threshold and the end.
func (o overrun) stall(w *watch) Stall {
	late, starved := w.late, w.starved
	if o.number != w.reported {
		due := o.start + int64(w.loop.settings.stallAfter)
		late = o.start + o.held - max(due, w.freeSince)
		starved = w.tooLate(late)
	}
	return Stall{
		Origin:  o.origin,
		Held:    time.Duration(o.held),
		Starved: starved,
		Late:    time.Duration(max(0, late)),
	}
}

// tooLate tells a starved machine from a busy one: timers on a machine that has
// time to give come within milliseconds.
func (w *watch) tooLate(late int64) bool {
	return late >= int64(w.loop.settings.stallAfter)/2
}

func (w *watch) report(s Stall) {
	s.Loop = w.loop.settings.name
	s.Load = readLoad()
	if s.Starved && !s.Ongoing {
		w.loop.gauge.starved.Add(1)
	}
	w.loop.settings.onStall(s)
	w.freeSince = w.loop.now()
}

// reportEnded reports what the loop left behind.
func (w *watch) reportEnded() {
	for {
		select {
		case o := <-w.overruns:
			w.report(o.stall(w))
		default:
			return
		}
	}
}
