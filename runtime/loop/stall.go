package loop

import (
	"fmt"
	"time"
)

// A Stall is a callback that holds the loop longer than the threshold. It is
// reported while it does so, and once more when it has ended. One that ends
// before the watchdog gets to it has only the second report.
type Stall struct {
	// Loop is the name of the loop.
	Loop string
	// Origin is where the callback was posted.
	Origin Origin
	// Ongoing says that the callback has not ended.
	Ongoing bool
	// Held is how long the callback has run, so far or in all.
	Held time.Duration
	// Stack is the stack of the loop's goroutine at the moment of the report.
	// It is nil when the callback has ended, or when another stack was taken
	// within the last second.
	Stack []byte
	// State is what the runtime says of the loop's goroutine, as in "IO wait" or
	// "sync.Mutex.Lock"; it is taken from the stack. A callback that computes is
	// "running" or "runnable".
	State string
	// Starved says that the machine, and not the callback, is the likely cause:
	// the watchdog could not run either.
	Starved bool
	// Late is how much later than planned the watchdog ran.
	Late time.Duration
	// Load is how busy the machine is.
	Load Load
}

// A Load is how many are waiting for a processor, and for how many processors.
type Load struct {
	// Minute is the load average over a minute, 0 if the system does not say.
	Minute float64
	// CPUs is how many processors this process may use.
	CPUs int
}

// String is one line without the stack.
func (s Stall) String() string {
	text := fmt.Sprintf("the callback posted at %v ", s.Origin)
	if s.Ongoing {
		text += fmt.Sprintf("has held the loop for %v and goes on", s.Held)
	} else {
		text += fmt.Sprintf("held the loop for %v", s.Held)
	}
	if s.State != "" {
		text += " (" + s.State + ")"
	}
	if s.Starved {
		text += fmt.Sprintf("; the machine is starved: the watchdog itself was %v late", s.Late)
	}
	return text
}
