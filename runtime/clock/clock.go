// Package clock is the time that a package goes by if its tests are to decide
// what time it is.
//
// Programs use [System]. A test that needs only a faster clock runs in a
// [testing/synctest] bubble, where System is fake already. One that needs a
// clock to do what real clocks do (jump while the machine sleeps, be set back,
// run a timer too early) brings a [Clock] of its own.
package clock

import "time"

// A Clock tells the time and runs functions later. It is safe for concurrent
// use.
type Clock interface {
	// Now is like [time.Now].
	Now() time.Time
	// AfterFunc is like [time.AfterFunc]: it waits for d and calls f in a
	// goroutine of its own.
	AfterFunc(d time.Duration, f func()) Timer
}

// A Timer is a call that a [Clock] will make.
type Timer interface {
	// Stop is like [time.Timer.Stop].
	Stop() bool
	// Reset is like [time.Timer.Reset].
	Reset(d time.Duration) bool
}

// System returns the clock of package time.
func System() Clock {
	return system{}
}

type system struct{}

func (system) Now() time.Time {
	return time.Now()
}

func (system) AfterFunc(d time.Duration, f func()) Timer {
	return time.AfterFunc(d, f)
}
