package cadence

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/timequeue"
)

// A beat is the tick that the visible polls of one period share.
type beat struct {
	period time.Duration
	place  timequeue.Place
	polls  map[*Poll]struct{}
}

// QueuePlace is for the queue alone.
func (b *beat) QueuePlace() *timequeue.Place { return &b.place }

// now returns the time since the grid's start, which is what the queue counts in.
func (c *Cadence) now() time.Duration { return time.Since(c.epoch) }

// show puts the poll on the beat of its period.
func (c *Cadence) show(p *Poll) {
	p.visible = true
	b := c.beats[p.period]
	if b == nil {
		b = &beat{period: p.period, polls: make(map[*Poll]struct{})}
		c.beats[p.period] = b
		c.putOff(b, c.now())
	}
	b.polls[p] = struct{}{}
	c.setTimer()
}

// hide takes the poll off its beat, and drops the beat that was only for it.
func (c *Cadence) hide(p *Poll) {
	if !p.visible {
		return
	}
	p.visible = false
	b := c.beats[p.period]
	delete(b.polls, p)
	if len(b.polls) == 0 {
		delete(c.beats, b.period)
		c.queue.Remove(b)
		c.setTimer()
	}
}

// tick runs what is due. It may be called late or for nothing (a timer that
// was set anew while it fired): the time alone says what is due.
func (c *Cadence) tick() {
	for _, p := range c.takeDue(c.now()) {
		go c.execute(p)
	}
}

// takeDue returns the polls to run now and marks them as running. They are
// started without the lock, for which they would queue up otherwise.
func (c *Cadence) takeDue(now time.Duration) []*Poll {
	c.mu.Lock()
	defer c.mu.Unlock()
	var due []*Poll
	for {
		b, ok := c.queue.Pop(int64(now))
		if !ok {
			c.setTimer()
			return due
		}
		due = c.appendIdle(due, b)
		c.putOff(b, now)
	}
}

func (c *Cadence) appendIdle(due []*Poll, b *beat) []*Poll {
	due = slices.Grow(due, len(b.polls))
	for p := range b.polls {
		if p.running {
			p.overruns++
			continue
		}
		c.markRunning(p)
		due = append(due, p)
	}
	return due
}

// putOff sets the beat to the first tick of its period that belongs to a point of
// the grid later than now.
func (c *Cadence) putOff(b *beat, now time.Duration) {
	next := (now/b.period + 1) * b.period
	next += time.Duration(rand.Float64() * c.jitter * float64(b.period))
	if !c.exact {
		next = roundUp(next, step(b.period))
	}
	c.queue.Set(b, int64(next))
}

// maxStep bounds how late a tick is for the sake of others.
const maxStep = time.Second

// step returns the largest of 1, 2, 10, 20, 100, 200 ms and 1 s that is at
// most a twentieth of the period, or 0. Each divides the next, so ticks on
// coarse steps fall on ticks of finer ones, and they divide the periods that
// people choose, which so keep their ticks.
func step(period time.Duration) time.Duration {
	var step time.Duration
	for unit := time.Millisecond; unit <= maxStep; unit *= 10 {
		for _, longer := range []time.Duration{unit, 2 * unit} {
			if longer <= maxStep && longer <= period/20 {
				step = longer
			}
		}
	}
	return step
}

func roundUp(d, step time.Duration) time.Duration {
	if step == 0 || d%step == 0 {
		return d
	}
	return d - d%step + step
}

// setTimer sets the timer to the first tick, or stops it if there is none.
func (c *Cadence) setTimer() {
	first, ok := c.queue.First()
	if !ok {
		if c.timer != nil {
			c.timer.Stop()
		}
		return
	}
	wait := time.Duration(first) - c.now()
	if c.timer == nil {
		c.timer = time.AfterFunc(wait, c.tick)
		return
	}
	c.timer.Reset(wait)
}
