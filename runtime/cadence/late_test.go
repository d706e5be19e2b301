package cadence

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestMissedTicksAreNotMadeUpFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		defer c.Close(t.Context())
		runs := 0
		p, err := c.Every(5*time.Second, func(context.Context) { runs++ })
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)

		// As if the machine had not let this process run for an hour.
		c.mu.Lock()
		c.epoch = c.epoch.Add(-time.Hour)
		c.mu.Unlock()
		c.tick()
		synctest.Wait()
		if runs != 1 || p.Overruns() != 0 {
			t.Errorf("an hour late: %d runs and %d overruns, want one run", runs, p.Overruns())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if runs != 2 {
			t.Errorf("%d runs, want the second at the next tick of the grid", runs)
		}
	})
}

func TestACloseLeavesNoTimer(t *testing.T) {
	c := New(Options{})
	if _, err := c.Every(time.Hour, func(context.Context) {}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c.timer.Stop() {
		t.Error("the timer was still set")
	}
}

func TestNoTimerIsSetWhileNobodyLooks(t *testing.T) {
	for name, end := range map[string]func(*Poll){
		"hidden":  func(p *Poll) { p.Visible(false) },
		"stopped": (*Poll).Stop,
	} {
		c := New(Options{})
		p, err := c.Every(time.Hour, func(context.Context) {})
		if err != nil {
			t.Fatal(err)
		}
		end(p)
		if c.timer.Stop() || c.queue.Len() != 0 {
			t.Errorf("%s: the timer is set, or the queue has %d beats", name, c.queue.Len())
		}
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A tick has chosen its polls before it starts them.
func TestAPollStoppedBetweenItsTickAndItsStartIsNotRun(t *testing.T) {
	c := New(Options{})
	ran := false
	p, err := c.Every(time.Hour, func(context.Context) { ran = true })
	if err != nil {
		t.Fatal(err)
	}
	due := c.takeDue(c.now() + 2*time.Hour)
	p.Stop()
	if len(due) != 1 {
		t.Fatalf("%d polls due", len(due))
	}
	c.execute(due[0])
	if ran {
		t.Error("it was run after Stop")
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestStepsAreAtMostATwentiethAndDivideTheUsualPeriods(t *testing.T) {
	for period, want := range map[time.Duration]time.Duration{
		time.Millisecond:        0,
		19 * time.Millisecond:   0,
		20 * time.Millisecond:   time.Millisecond,
		50 * time.Millisecond:   2 * time.Millisecond,
		250 * time.Millisecond:  10 * time.Millisecond,
		time.Second:             20 * time.Millisecond,
		5 * time.Second:         200 * time.Millisecond,
		5001 * time.Millisecond: 200 * time.Millisecond,
		30 * time.Second:        time.Second,
		6 * time.Hour:           time.Second,
	} {
		if got := step(period); got != want {
			t.Errorf("the step of %v is %v, want %v", period, got, want)
		}
	}
}
