package loop

import "sync/atomic"

// Stats is what a loop has done so far.
type Stats struct {
	// Queued is how many callbacks wait now, and Offloaded how many works have
	// not brought their result back.
	Queued, Offloaded int
	// Refused is how many times [ErrFull] was returned.
	Refused uint64
	// Panics is how many callbacks and works panicked.
	Panics uint64
	// Stalls is how many callbacks have ended over the threshold, and Starved
	// how many of them because the machine gave the process no time.
	Stalls, Starved uint64
	// Lag is how long callbacks waited after they were posted or, for timers,
	// due. Its Count is how many callbacks have begun.
	Lag Histogram
	// Held is how long callbacks ran.
	Held Histogram
}

// gauge is what is counted, without allocation and without a lock.
type gauge struct {
	refused, panics, stalls, starved atomic.Uint64

	lag, held recorder
}

// Stats returns what the loop has done so far. The numbers are each right, but
// not of the very same moment.
func (l *Loop) Stats() Stats {
	l.mu.Lock()
	queued, offloaded := l.queue.len(), l.pool.outstanding()
	l.mu.Unlock()
	return Stats{
		Queued:    queued,
		Offloaded: offloaded,
		Refused:   l.gauge.refused.Load(),
		Panics:    l.gauge.panics.Load(),
		Stalls:    l.gauge.stalls.Load(),
		Starved:   l.gauge.starved.Load(),
		Lag:       l.gauge.lag.read(),
		Held:      l.gauge.held.read(),
	}
}
