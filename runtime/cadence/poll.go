package cadence

import (
	"context"
	"time"
)

// A Poll is one registered poll. It is safe for concurrent use, also by its
// own run. None of its methods waits.
type Poll struct {
	cadence *Cadence
	period  time.Duration
	run     func(context.Context)
	ctx     context.Context
	cancel  context.CancelFunc

	// The rest is guarded by cadence.mu.
	visible  bool
	stopped  bool
	running  bool
	again    bool // revealed while it ran: the run may have seen the state of before
	overruns uint64
}

// Visible says whether somebody looks at what the poll finds. A hidden poll is
// not run; the context of a run that has begun goes on.
//
// Revealing a hidden poll runs it once, now; if it is running, once more as
// soon as that run has ended. Its ticks stay those of the grid. Saying what is
// so already changes nothing, nor does anything after Stop.
func (p *Poll) Visible(visible bool) {
	c := p.cadence
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || p.stopped || visible == p.visible {
		return
	}
	if !visible {
		c.hide(p)
		return
	}
	c.show(p)
	if p.running {
		p.again = true
		return
	}
	c.markRunning(p)
	go c.execute(p)
}

// Stop unregisters the poll and ends the context of its run, if there is one,
// without waiting for it. A run that begins at the very moment of Stop gets a
// context that has ended; none begins later.
func (p *Poll) Stop() {
	c := p.cadence
	c.mu.Lock()
	defer c.mu.Unlock()
	p.cancel()
	if c.closed || p.stopped {
		return
	}
	p.stopped = true
	c.hide(p)
}

// Overruns returns how many ticks were dropped because the poll still ran.
func (p *Poll) Overruns() uint64 {
	p.cadence.mu.Lock()
	defer p.cadence.mu.Unlock()
	return p.overruns
}

func (c *Cadence) markRunning(p *Poll) {
	p.running = true
	c.running++
}

// execute runs a poll that is marked as running, in a goroutine of its own,
// unless it was stopped since.
func (c *Cadence) execute(p *Poll) {
	defer c.ended(p) // also if the run ends its goroutine
	if p.ctx.Err() == nil {
		p.run(p.ctx)
	}
}

func (c *Cadence) ended(p *Poll) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.running = false
	c.running--
	again := p.again && p.visible && !c.closed
	p.again = false
	if again {
		c.markRunning(p)
		go c.execute(p)
	}
	if c.closed && c.running == 0 {
		close(c.idle)
	}
}
