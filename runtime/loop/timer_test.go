package loop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

func TestTimersFireAtTheirTimeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		run(t, events)
		began := time.Now()
		var got []string
		note := func(name string) func() {
			return func() { got = append(got, fmt.Sprint(name, " ", time.Since(began))) }
		}
		events.After(3*time.Second, note("c"))
		events.After(time.Second, note("a"))
		events.After(2*time.Second, note("b"))
		events.After(2*time.Second, note("b2"))
		events.After(-time.Second, note("past"))
		events.After(1<<63-1, note("never"))
		stopped := events.After(2*time.Second, note("stopped"))
		time.Sleep(1500 * time.Millisecond)
		if !stopped.Stop() || stopped.Stop() {
			t.Error("Stop does not tell whether the timer was still to fire")
		}
		events.After(100*time.Millisecond, note("late"))
		time.Sleep(time.Minute)
		want := []string{"past 0s", "a 1s", "late 1.6s", "b 2s", "b2 2s", "c 3s"}
		call(t, events, func() {
			if !slices.Equal(got, want) {
				t.Errorf("fired %q, want %q", got, want)
			}
		})
	})
}

func TestEveryKeepsItsBeatAndRunsMissedTicksAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		run(t, events)
		began := time.Now()
		var got []time.Duration
		tick := events.Every(time.Second, func() {
			got = append(got, time.Since(began))
			if len(got) == 2 {
				time.Sleep(3500 * time.Millisecond)
			}
		})
		time.Sleep(7500 * time.Millisecond)
		tick.Stop()
		time.Sleep(time.Minute)
		want := []time.Duration{1000, 2000, 5500, 6000, 7000}
		call(t, events, func() {
			for i := range want {
				want[i] *= time.Millisecond
			}
			if !slices.Equal(got, want) {
				t.Errorf("ticked at %v, want %v", got, want)
			}
		})
	})
}

func TestStopOnTheLoopIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		run(t, events)
		ticks := 0
		call(t, events, func() {
			var second, tick *loop.Timer
			events.After(time.Second, func() {
				if !second.Stop() {
					t.Error("the second timer has fired first")
				}
			})
			second = events.After(time.Second, func() { t.Error("fired after Stop") })
			tick = events.Every(time.Second, func() {
				if ticks++; ticks == 2 {
					tick.Stop()
				}
			})
		})
		time.Sleep(time.Minute)
		call(t, events, func() {
			if ticks != 2 {
				t.Errorf("%d ticks, want 2", ticks)
			}
		})
	})
}

func TestNeitherTimersNorCallbacksStarveEachOther(t *testing.T) {
	events := loop.New()
	var order strings.Builder
	var again func()
	again = func() {
		order.WriteByte('p')
		for now := time.Now(); !time.Now().After(now); { // so that the timer is due, whatever the clock's steps
		}
		if order.Len() < 100 {
			_ = events.Post(again)
		}
	}
	post(t, events, again)
	tick := events.Every(1, func() { order.WriteByte('t') })
	run(t, events)
	for {
		enough := false
		call(t, events, func() { enough = order.Len() >= 100 })
		if enough {
			break
		}
	}
	tick.Stop()
	call(t, events, func() {
		text := order.String()[:100]
		if strings.Contains(text, "ppp") || !strings.Contains(text, "tp") {
			t.Errorf("timer ticks t and posted callbacks p: %s", text)
		}
	})
}

func TestEveryRefusesAPeriodOfNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Every(0) was accepted")
		}
	}()
	loop.New().Every(0, func() {})
}
