package schedule_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func expectTimes(t *testing.T, got []time.Duration, want ...time.Duration) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("turns began at %v, want %v", got, want)
	}
}

const s, m = time.Second, time.Minute

func TestTheFirstTickIsDueAtOnceAndTheNextCountsFromItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 7 * s
		w.create("a", loop(1*m))
		wait(3 * m)
		expectTimes(t, w.agent.times(w.start), 0, 1*m+7*s, 2*m+14*s)
	})
}

func TestALoopIsRaisedToItsFloorAndAHeartbeatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		if got := w.create("a", loop(1*s)); got.Every != schedule.Floor {
			t.Errorf("a loop of 1s became one of %v", got.Every)
		}
		beat := schedule.Spec{Kind: schedule.Heartbeat, Every: 59 * s}
		_, err := w.Create(t.Context(), "a", beat)
		if err == nil || !strings.Contains(err.Error(), "59s is too short for a heartbeat: want at least 1m0s") {
			t.Errorf("a heartbeat of 59s: %v", err)
		}
		beat.Every = schedule.HeartbeatFloor
		w.create("a", beat)
		for name, bad := range map[string]schedule.Spec{
			"kind":                  {Kind: "dream"},
			"times":                 {Kind: schedule.Loop, Times: -1},
			"interval":              {Kind: schedule.Loop, Every: -1},
			"both":                  {Kind: schedule.Loop, Every: m, Cron: "@daily"},
			"no calendar":           {Kind: schedule.Loop, Cron: "@daily"},
			"self-paced heartbeat":  {Kind: schedule.Heartbeat},
			"heartbeat with an end": {Kind: schedule.Heartbeat, Every: m, Times: 3},
		} {
			if _, err := w.Create(t.Context(), "bad", bad); err == nil {
				t.Errorf("%s: want an error", name)
			}
		}
		if _, err := w.Create(t.Context(), "a", loop(m)); !errors.Is(err, schedule.ErrExists) {
			t.Errorf("a second loop: %v", err)
		}
	})
}

func TestASelfPacedLoopSlowsDownWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.answer = func(tick schedule.Tick) (schedule.Answer, error) {
			if tick.Number < 8 {
				return schedule.Answer{Text: "at " + time.Now().Format(time.TimeOnly) + " nothing new"}, nil
			}
			return schedule.Answer{Text: "a new message"}, nil
		}
		w.create("a", schedule.Spec{Kind: schedule.Loop, Prompt: "mail?"})
		wait(2 * time.Hour)
		var gaps []time.Duration
		times := w.agent.times(w.start)
		for i := 1; i < len(times); i++ {
			gaps = append(gaps, times[i]-times[i-1])
		}
		want := []time.Duration{1 * m, 2 * m, 4 * m, 8 * m, 15 * m, 15 * m, 15 * m, 1 * m, 2 * m, 4 * m}
		if len(gaps) < len(want) || !slices.Equal(gaps[:len(want)], want) {
			t.Errorf("intervals %v, want %v", gaps, want)
		}
	})
}

func TestALoopEnds(t *testing.T) {
	says := func(text string) func(schedule.Tick) (schedule.Answer, error) {
		return func(tick schedule.Tick) (schedule.Answer, error) {
			if tick.Number < 3 {
				return schedule.Answer{Text: "not LOOP_COMPLETE, not all green"}, nil
			}
			return schedule.Answer{Text: text}, nil
		}
	}
	for name, test := range map[string]struct {
		spec   schedule.Spec
		answer func(schedule.Tick) (schedule.Answer, error)
		ticks  int
		status schedule.Status
	}{
		"after its times":         {schedule.Spec{Times: 4}, says(""), 4, schedule.Done},
		"by its last word":        {schedule.Spec{}, says("well\n LOOP_COMPLETE \nbye"), 3, schedule.Done},
		"when its condition came": {schedule.Spec{Until: "all green"}, says("all green"), 3, schedule.Done},
		"by its driver": {schedule.Spec{}, func(tick schedule.Tick) (schedule.Answer, error) {
			return schedule.Answer{Done: true}, nil
		}, 1, schedule.Done},
		"blocked": {schedule.Spec{}, func(tick schedule.Tick) (schedule.Answer, error) {
			return schedule.Answer{Blocked: "no password"}, nil
		}, 1, schedule.Paused},
		"out of its budget": {schedule.Spec{}, says(""), schedule.DefaultBudget, schedule.Paused},
		"with failing turns": {schedule.Spec{Times: 5}, func(schedule.Tick) (schedule.Answer, error) {
			return schedule.Answer{}, errDisk
		}, 5, schedule.Done},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				changes := make(chan string, 10)
				w := newWorld(t, schedule.Options{Changed: func(session string) { changes <- session }})
				w.agent.answer = test.answer
				test.spec.Kind, test.spec.Every = schedule.Loop, m
				w.create("a", test.spec)
				<-changes
				wait(200 * m)
				got := w.get("a")
				if got.Status != test.status || got.Ticks != test.ticks || w.agent.count() != test.ticks || got.Claim != nil {
					t.Errorf("%+v after %d turns, want %s after %d", got, w.agent.count(), test.status, test.ticks)
				}
				if len(changes) != 1 {
					t.Errorf("told of %d changes, want 1", len(changes))
				}
				if w.sole("a") {
					t.Error("it pins its session still")
				}
			})
		})
	}
}

func TestABudgetIsGivenAgainByResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{Budget: 3})
		w.create("a", loop(m))
		wait(time.Hour)
		must(t, w.Resume(t.Context(), "a", schedule.Loop))
		wait(time.Hour)
		expectTimes(t, w.agent.times(w.start), 0, m, 2*m, time.Hour+5*s, time.Hour+5*s+m, time.Hour+5*s+2*m)
		if err := w.Stop(t.Context(), "a", schedule.Loop, "enough"); err != nil {
			t.Error(err)
		}
		if err := w.Resume(t.Context(), "a", schedule.Loop); !errors.Is(err, schedule.ErrNotPaused) {
			t.Errorf("resuming a stopped loop: %v", err)
		}
		w.create("a", loop(m)) // in the place of the stopped one
		wait(0)
		if got := w.get("a"); got.Ticks != 1 {
			t.Errorf("the new loop begins with %d ticks", got.Ticks)
		}
	})
}

func TestPauseReleasesAtOnceAndResumeTakesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 10 * s
		w.create("a", loop(m))
		wait(5 * s)
		if !w.sole("a") || w.sole("b") {
			t.Error("want a, and nobody else, to have its only engine here")
		}
		must(t, w.Pause(t.Context(), "a", schedule.Loop, "lunch"))
		if w.sole("a") {
			t.Error("a paused schedule pins its session")
		}
		must(t, w.Resume(t.Context(), "a", schedule.Loop)) // the first tick still runs
		if !w.sole("a") {
			t.Error("a resumed schedule does not pin its session")
		}
		wait(3 * m)
		expectTimes(t, w.agent.times(w.start), 0, 70*s, 140*s)
	})
}

func TestATickIsGivenBackToABusySession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ready atomic.Bool
		w := newWorld(t, schedule.Options{Ready: func(string) bool { return ready.Load() }})
		w.agent.setBusy(true)
		w.create("a", schedule.Spec{Kind: schedule.Loop, Every: m, Times: 2})
		wait(m)
		if n := w.store.writes(); n != 1 {
			t.Errorf("%d writes for a session that is not ready, want that of Create", n)
		}
		ready.Store(true)
		wait(m)
		if got := w.get("a"); got.Ticks != 0 || got.Claim != nil {
			t.Errorf("%+v, want no tick", got)
		}
		w.agent.setBusy(false)
		wait(10 * m)
		if got := w.get("a"); got.Ticks != 2 || got.Status != schedule.Done || w.agent.count() != 2 {
			t.Errorf("%+v after %d turns, want two", got, w.agent.count())
		}
	})
}

func TestOverdueTicksComeAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.create("a", loop(m))
		wait(90 * s)
		must(t, w.Close(t.Context()))
		wait(8 * time.Hour)

		again := open(t, schedule.Options{Store: w.store, Local: w.agent})
		must(t, again.Open(t.Context(), "a"))
		must(t, again.Open(t.Context(), "a")) // once more changes nothing
		wait(90 * s)
		back := 8*time.Hour + 90*s
		expectTimes(t, w.agent.times(w.start), 0, m, back, back+m)
	})
}

// wallClock is a clock that is set, while its timers go on.
type wallClock struct {
	clock.Clock
	off atomic.Int64
}

func newWallClock(off time.Duration) *wallClock {
	c := &wallClock{Clock: clock.System()}
	c.set(off)
	return c
}

func (c *wallClock) Now() time.Time { return c.Clock.Now().Add(time.Duration(c.off.Load())) }

func (c *wallClock) set(by time.Duration) { c.off.Add(int64(by)) }

// The timers of Linux stand still while the machine sleeps, and its wall clock
// does not.
func TestAfterASleepOneTickComesSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newWallClock(0)
		w := newWorld(t, schedule.Options{Clock: c})
		w.create("a", loop(2*time.Hour))
		wait(time.Hour)
		c.set(8 * time.Hour)
		wait(m)
		wait(time.Hour)
		if n := w.agent.count(); n != 2 {
			t.Fatalf("%d turns, want the one that was missed and no other", n)
		}
		if late := w.agent.times(w.start)[1] - time.Hour; late > m {
			t.Errorf("the tick came %v after the sleep", late)
		}
	})
}

func TestAClockThatIsSetBackStopsNoLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newWallClock(0)
		w := newWorld(t, schedule.Options{Clock: c})
		w.create("a", loop(10*m))
		wait(m)
		c.set(-24 * time.Hour)
		wait(12 * m)
		if n := w.agent.count(); n != 2 {
			t.Errorf("%d turns, want the second within its interval", n)
		}
	})
}
