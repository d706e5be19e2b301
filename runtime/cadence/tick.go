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

// steps are what ticks are put off to multiples of. Each divides the next, so
// ticks on coarse steps fall on ticks of finer ones, and they divide the periods
// that people choose, which so keep their ticks.
var steps = [...]time.Duration{
	time.Millisecond, 2 * time.Millisecond,
	10 * time.Millisecond, 20 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond,
	time.Second,
}

// step returns the largest step that is at most a twentieth of the period, or 0.
func step(period time.Duration) (largest time.Duration) {
	for _, s := range steps {
		if s <= period/20 {
			largest = s
		}
	}
	return largest
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
