package cadence

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"
)

// A beat is the tick that the visible polls of one period share.
type beat struct {
	period time.Duration
	next   time.Time
	place  int // in the schedule
	polls  map[*Poll]struct{}
}

// show puts the poll on the beat of its period.
func (c *Cadence) show(p *Poll) {
	p.visible = true
	b := c.beats[p.period]
	if b == nil {
		b = &beat{period: p.period, next: c.tickAfter(p.period, time.Now()), polls: make(map[*Poll]struct{})}
		c.beats[p.period] = b
		heap.Push(&c.queue, b)
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
		heap.Remove(&c.queue, b.place)
		c.setTimer()
	}
}

// tick runs what is due. It may be called late or for nothing (a timer that
// was set anew while it fired): the time alone says what is due.
func (c *Cadence) tick() {
	for _, p := range c.takeDue(time.Now()) {
		go c.execute(p)
	}
}

// takeDue returns the polls to run now and marks them as running. They are
// started without the lock, for which they would queue up otherwise.
func (c *Cadence) takeDue(now time.Time) []*Poll {
	c.mu.Lock()
	defer c.mu.Unlock()
	var due []*Poll
	for len(c.queue) > 0 && !c.queue[0].next.After(now) {
		b := c.queue[0]
		due = c.appendIdle(due, b)
		b.next = c.tickAfter(b.period, now)
		heap.Fix(&c.queue, 0)
	}
	c.setTimer()
	return due
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

// tickAfter returns the first tick of the period that belongs to a point of
// the grid later than now.
func (c *Cadence) tickAfter(period time.Duration, now time.Time) time.Time {
	passed := now.Sub(c.epoch) / period
	next := (passed + 1) * period
	next += time.Duration(rand.Float64() * c.jitter * float64(period))
	if !c.exact {
		next = roundUp(next, step(period))
	}
	return c.epoch.Add(next)
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
	if len(c.queue) == 0 {
		if c.timer != nil {
			c.timer.Stop()
		}
		return
	}
	wait := time.Until(c.queue[0].next)
	if c.timer == nil {
		c.timer = time.AfterFunc(wait, c.tick)
		return
	}
	c.timer.Reset(wait)
}

// A schedule is a heap of beats, the next one first.
type schedule []*beat

func (s schedule) Len() int           { return len(s) }
func (s schedule) Less(i, j int) bool { return s[i].next.Before(s[j].next) }
func (s schedule) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].place, s[j].place = i, j
}

func (s *schedule) Push(x any) {
	b := x.(*beat)
	b.place = len(*s)
	*s = append(*s, b)
}

func (s *schedule) Pop() any {
	last := len(*s) - 1
	b := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	return b
}
