package session

import (
	"math"
	"time"
)

// never is a time that does not come.
const never int64 = math.MaxInt64

// awake is the time that the reapers go by: it stands still while the process
// does not run, because nobody could have come back then. The monotonic clock
// of Linux and macOS stops while the machine sleeps, that of Windows does not,
// and none stops for a SIGSTOP; so a timer that comes much too late is taken
// for a sleep too.
type awake struct {
	epoch time.Time
	slept time.Duration
	last  int64 // when the process is known to have run
}

// at returns the awake time at a time of the clock.
func (a *awake) at(t time.Time) int64 {
	return int64(t.Sub(a.epoch) - a.slept)
}

// wall returns the time of the clock at an awake time, if there is no sleep in
// between; the zero time for never.
func (a *awake) wall(t int64) time.Time {
	if t == never {
		return time.Time{}
	}
	return a.epoch.Add(time.Duration(t) + a.slept)
}

// wake takes the time, and reports a sleep. If a timer that was due is later than
// anything but a sleep can explain, nobody knows when the sleep began. The time
// then goes on from where the process is known to have run, so that no grace is
// shorter than it should be.
func (a *awake) wake(t time.Time, timerAt int64) (now int64, slept time.Duration) {
	now = a.at(t)
	if timerAt != never && now-timerAt > int64(sleepGap) {
		slept = time.Duration(now - a.last)
		a.slept += slept
		now = a.last
	}
	a.last = max(a.last, now)
	return now, slept
}

// after returns the time d after t; never if d is Never or out of range.
func after(t int64, d time.Duration) int64 {
	if d < 0 || t > never-int64(d) {
		return never
	}
	return t + int64(d)
}
