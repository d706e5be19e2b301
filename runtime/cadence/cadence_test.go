package cadence_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/cadence"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// A journal notes when a poll ran, in time since the journal was made.
type journal struct {
	start time.Time
	mu    sync.Mutex
	runs  []time.Duration
}

func newJournal() *journal { return &journal{start: time.Now()} }

func (j *journal) run(context.Context) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.runs = append(j.runs, time.Since(j.start))
}

// take returns the runs since the last take, once all goroutines are still.
func (j *journal) take() []time.Duration {
	synctest.Wait()
	j.mu.Lock()
	defer j.mu.Unlock()
	runs := j.runs
	j.runs = nil
	return runs
}

func (j *journal) want(t *testing.T, what string, runs ...time.Duration) {
	t.Helper()
	if got := j.take(); !slices.Equal(got, runs) {
		t.Errorf("%s: ran at %v, want %v", what, got, runs)
	}
}

func newCadence(t *testing.T, opts cadence.Options) *cadence.Cadence {
	c := cadence.New(opts)
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func every(t *testing.T, c *cadence.Cadence, period time.Duration, run func(context.Context)) *cadence.Poll {
	t.Helper()
	poll, err := c.Every(period, run)
	if err != nil {
		t.Fatal(err)
	}
	return poll
}

const s = time.Second

func TestPollsOfOnePeriodShareTheGridHoweverLateTheyCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		five, late, ten := newJournal(), newJournal(), newJournal()
		every(t, c, 5*s, five.run)
		time.Sleep(3 * s)
		every(t, c, 5*s, late.run)
		every(t, c, 10*s, ten.run)
		time.Sleep(17*s + s/2)
		five.want(t, "the first", 5*s, 10*s, 15*s, 20*s)
		late.want(t, "the late one", 5*s, 10*s, 15*s, 20*s)
		ten.want(t, "every second tick", 10*s, 20*s)
	})
}

func TestUnlikePeriodsShareAWakeUpAndNoneIsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		exact := newCadence(t, cadence.Options{Exact: true})
		first, second, alone := newJournal(), newJournal(), newJournal()
		every(t, c, 5001*time.Millisecond, first.run)
		every(t, c, 5199*time.Millisecond, second.run)
		every(t, exact, 5001*time.Millisecond, alone.run)
		time.Sleep(16 * s)
		first.want(t, "5.001 s", 5200*time.Millisecond, 10200*time.Millisecond, 15200*time.Millisecond)
		second.want(t, "5.199 s", 5200*time.Millisecond, 10400*time.Millisecond, 15600*time.Millisecond)
		alone.want(t, "5.001 s, exact", 5001*time.Millisecond, 10002*time.Millisecond, 15003*time.Millisecond)
	})
}

func TestAHiddenPollMakesNoCallAndOneWhenItIsRevealed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		poll := every(t, c, 5*s, j.run)
		time.Sleep(6 * s)
		j.want(t, "seen", 5*s)

		poll.Visible(false)
		time.Sleep(3600 * s)
		j.want(t, "hidden")

		poll.Visible(true)
		poll.Visible(true)
		j.want(t, "revealed", 3606*s)
		time.Sleep(5 * s)
		j.want(t, "after the reveal", 3610*s)

		poll.Visible(true) // said again: no reveal
		time.Sleep(s)
		j.want(t, "said again")
	})
}

func TestAPollRegisteredHiddenRunsOnceWhenItIsFirstSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		poll, err := c.EveryHidden(5*s, j.run)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(7 * s)
		j.want(t, "hidden")
		poll.Visible(true)
		time.Sleep(4 * s)
		j.want(t, "seen", 7*s, 10*s)
	})
}

func TestAPollThatOverrunsIsNotRunTwiceAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		var running, most int
		poll := every(t, c, 5*s, func(ctx context.Context) {
			j.run(ctx)
			running++
			most = max(most, running)
			time.Sleep(12 * s)
			running--
		})
		other := newJournal()
		every(t, c, 5*s, other.run)
		time.Sleep(31 * s)
		j.want(t, "12 s of work each 5 s", 5*s, 20*s)
		other.want(t, "a quick one beside it", 5*s, 10*s, 15*s, 20*s, 25*s, 30*s)
		if most != 1 {
			t.Errorf("%d runs at once", most)
		}
		if n := poll.Overruns(); n != 4 { // 10, 15, 25, 30
			t.Errorf("%d ticks dropped, want 4", n)
		}
	})
}

// What it polls may have changed while nobody looked, and the run that is
// under way may have read it before.
func TestAPollRevealedWhileItRunsRunsOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		poll := every(t, c, 10*s, func(ctx context.Context) {
			j.run(ctx)
			time.Sleep(3 * s)
		})
		time.Sleep(11 * s)
		for range 5 {
			poll.Visible(false)
			poll.Visible(true)
		}
		time.Sleep(7 * s)
		j.want(t, "revealed five times in one run", 10*s, 13*s)

		time.Sleep(3 * s) // 21
		poll.Visible(false)
		poll.Visible(true)
		poll.Visible(false)
		time.Sleep(20 * s)
		j.want(t, "hidden again before the run ended", 20*s)
	})
}

// In the system that this replaces, the wait for the next event was the clock:
// whatever woke it polled.
func TestOtherEventsNeverTriggerAPollEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		every(t, c, 5*s, j.run)
		nothing := func(context.Context) {}
		for range 12_000 { // a minute of an event each 5 ms
			time.Sleep(5 * time.Millisecond)
			other := every(t, c, 7*time.Millisecond, nothing)
			other.Visible(false)
			other.Visible(true)
			same := every(t, c, 5*s, nothing)
			other.Stop()
			same.Stop()
		}
		var want []time.Duration
		for tick := 5 * s; tick <= 60*s; tick += 5 * s {
			want = append(want, tick)
		}
		j.want(t, "in a storm of events", want...)
	})
}

func TestJitterPutsOffSharedTicksWithoutDrift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{Jitter: 0.5})
		one, other := newJournal(), newJournal()
		every(t, c, 10*s, one.run)
		every(t, c, 10*s, other.run)
		time.Sleep(10_006 * s)
		runs := one.take()
		if !slices.Equal(runs, other.take()) {
			t.Error("two polls of one period did not share their ticks")
		}
		if len(runs) != 1000 {
			t.Fatalf("%d runs in 1000 periods", len(runs))
		}
		late := 0
		for i, at := range runs {
			grid := time.Duration(i+1) * 10 * s
			if at < grid || at > grid+5*s {
				t.Errorf("tick %d at %v, want in [%v, %v]", i, at, grid, grid+5*s)
			}
			if at > grid+s {
				late++
			}
		}
		if late < 500 { // 800 of 1000 are expected
			t.Errorf("only %d of 1000 ticks were put off by more than a fifth of the jitter", late)
		}
	})
}

func TestStopEndsTheContextAndTheTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		poll := every(t, c, 5*s, func(ctx context.Context) {
			j.run(ctx)
			<-ctx.Done()
			j.run(ctx)
			time.Sleep(s)
		})
		time.Sleep(6 * s)
		poll.Stop()
		poll.Stop()
		poll.Visible(false)
		poll.Visible(true)
		time.Sleep(60 * s)
		j.want(t, "stopped in its first run", 5*s, 6*s)
	})
}

func TestCloseWaitsForTheRunsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cadence.New(cadence.Options{})
		ended := false
		poll := every(t, c, 5*s, func(ctx context.Context) {
			<-ctx.Done()
			time.Sleep(10 * s) // deaf
			ended = true
		})
		time.Sleep(6 * s)

		bound, cancel := context.WithTimeout(t.Context(), 2*s)
		defer cancel()
		start := time.Now()
		if err := c.Close(bound); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close with a deaf run: %v", err)
		}
		if waited := time.Since(start); waited != 2*s {
			t.Errorf("Close waited %v, its bound is 2 s", waited)
		}
		if err := c.Close(t.Context()); err != nil || !ended {
			t.Errorf("the second Close: %v, the run had ended: %v", err, ended)
		}
		poll.Visible(false)
		poll.Visible(true)
		poll.Stop()
		if _, err := c.Every(s, func(context.Context) {}); !errors.Is(err, cadence.ErrClosed) {
			t.Errorf("Every after Close: %v", err)
		}
	})
}

func TestARunThatEndsItsGoroutineDoesNotHoldItsPollForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCadence(t, cadence.Options{})
		j := newJournal()
		every(t, c, 5*s, func(ctx context.Context) {
			j.run(ctx)
			runtime.Goexit()
		})
		time.Sleep(11 * s)
		j.want(t, "ends by Goexit", 5*s, 10*s)
	})
}

func TestBadInputIsRefused(t *testing.T) {
	c := newCadence(t, cadence.Options{})
	nothing := func(context.Context) {}
	for name, test := range map[string]struct {
		period time.Duration
		run    func(context.Context)
		want   string
	}{
		"no period":       {0, nothing, "shorter than 1ms"},
		"a negative one":  {-s, nothing, "shorter than 1ms"},
		"a busy loop":     {time.Microsecond, nothing, "shorter than 1ms"},
		"nothing to poll": {s, nil, "nothing to run"},
	} {
		if _, err := c.Every(test.period, test.run); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for _, jitter := range []float64{-0.1, 1, 7} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a jitter of %v was taken", jitter)
				}
			}()
			cadence.New(cadence.Options{Jitter: jitter})
		}()
	}
}

func TestEverythingAtOnce(t *testing.T) {
	c := cadence.New(cadence.Options{Jitter: 0.2})
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 300 {
				var running sync.Mutex
				poll, err := c.Every(time.Duration(1+(g+i)%3)*time.Millisecond, func(context.Context) {
					if !running.TryLock() {
						t.Error("two runs at once")
						return
					}
					defer running.Unlock()
					runtime.Gosched()
				})
				if err != nil {
					t.Error(err)
					return
				}
				poll.Visible(i%2 == 0)
				poll.Visible(true)
				poll.Overruns()
				if i%3 > 0 {
					poll.Stop()
				}
			}
		})
	}
	group.Wait()
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
