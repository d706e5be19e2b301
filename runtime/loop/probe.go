package loop

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A WedgedError says that the loop runs nothing any more, or so little that
// what is posted has to wait for longer than the probes allow.
type WedgedError struct {
	// Loop is the name of the loop.
	Loop string
	// Origin is where the callback that holds the loop was posted, and Held for
	// how long it has. Held is 0 if the loop is not stuck but hopelessly behind.
	Origin Origin
	Held   time.Duration
	// Queued is how many callbacks wait.
	Queued int
	// Strikes is how many probes in a row have not run in time.
	Strikes int
	// Load is how busy the machine is.
	Load Load
	// Stacks are the stacks of all goroutines, 64 MiB of them at most.
	Stacks []byte
}

// Error gives everything but the stacks.
func (e *WedgedError) Error() string {
	cause := "the loop is behind"
	if e.Held > 0 {
		cause = fmt.Sprintf("the callback posted at %v has held the loop for %v", e.Origin, e.Held)
	}
	return fmt.Sprintf("loop %q is wedged: %s, %d probes in a row have not run, %d callbacks wait, load %.1f on %d CPUs",
		e.Loop, cause, e.Strikes, e.Queued, e.Load.Minute, e.Load.CPUs)
}

// A prober posts a probe, waits for it, and counts strikes. It has at most one
// probe in the queue.
type prober struct {
	watch    *watch
	policy   probePolicy
	timer    *time.Timer
	due      int64
	waiting  bool // for the probe, not for the next period
	pending  atomic.Bool
	strikes  int
	callback func()
}

func newProber(w *watch) *prober {
	p := &prober{watch: w, policy: w.loop.settings.probe}
	p.callback = func() { p.pending.Store(false) }
	p.timer = time.NewTimer(p.policy.every)
	p.due = w.loop.now() + int64(p.policy.every)
	return p
}

// tick is called when the timer rings. It returns an error if the loop is wedged
// and Run is to return.
func (p *prober) tick() error {
	late := p.watch.loop.now() - max(p.due, p.watch.freeSince)
	if !p.waiting {
		p.send()
		return nil
	}
	err := p.judge(late)
	p.waiting = false
	p.wait(p.policy.every)
	return err
}

// send posts a probe unless the last one is still there.
func (p *prober) send() {
	p.waiting = true
	if !p.pending.Swap(true) {
		p.watch.loop.probe(p.callback)
	}
	p.wait(p.policy.timeout)
}

func (p *prober) wait(d time.Duration) {
	p.due = p.watch.loop.now() + int64(d)
	p.timer.Reset(d)
}

// judge says what it means that the probe has run, or has not.
func (p *prober) judge(late int64) error {
	logger := p.watch.loop.settings.log()
	switch {
	case !p.pending.Load():
		p.strikes = 0
		return nil
	case late >= int64(p.policy.timeout)/2:
		logger.Warn("loop: a probe has not run, but the watchdog was late too: the machine is starved",
			"loop", p.watch.loop.settings.name, "late", time.Duration(late), "load", readLoad().Minute)
		return nil
	}
	p.strikes++
	logger.Warn("loop: a probe has not run", "loop", p.watch.loop.settings.name,
		"timeout", p.policy.timeout, "strike", p.strikes, "of", p.policy.strikes)
	if p.strikes < p.policy.strikes {
		return nil
	}
	err := p.watch.loop.settings.onWedge(p.watch.loop.wedged(p.strikes))
	p.strikes = 0
	p.watch.freeSince = p.watch.loop.now()
	p.watch.wedged = err != nil
	return err
}

// probe queues a probe beyond the bound: a full queue is no reason not to look.
func (l *Loop) probe(callback func()) {
	due := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deliver(task{callback, 0, due})
}

func (l *Loop) wedged(strikes int) *WedgedError {
	e := &WedgedError{
		Loop:    l.settings.name,
		Strikes: strikes,
		Queued:  l.Stats().Queued,
		Load:    readLoad(),
		Stacks:  allStacks(),
	}
	s := l.turn.look()
	held := time.Duration(l.now() - s.start)
	if s.busy && held >= l.settings.probe.timeout {
		e.Origin, e.Held = s.origin, held
	}
	return e
}
