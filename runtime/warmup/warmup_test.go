package warmup_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/warmup"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// counted is work that counts its runs and takes a second.
type counted struct {
	runs atomic.Int32
	err  error
}

func (c *counted) work(ctx context.Context) error {
	c.runs.Add(1)
	select {
	case <-time.After(time.Second):
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *counted) want(t *testing.T, what string, runs int32) {
	t.Helper()
	synctest.Wait()
	if got := c.runs.Load(); got != runs {
		t.Errorf("%s: %d runs, want %d", what, got, runs)
	}
}

func TestArmedItWaitsForATriggerAndFiresOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counted
		w := warmup.Arm(t.Context(), c.work, warmup.Options{})
		time.Sleep(24 * time.Hour)
		c.want(t, "armed for a day", 0)
		start := time.Now()
		if !w.Trigger() {
			t.Error("the first trigger did not fire")
		}
		if time.Since(start) != 0 {
			t.Error("the trigger waited")
		}
		if w.Trigger() {
			t.Error("the second trigger fired")
		}
		if err := w.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("Wait returned after %v, the work takes 1s", took)
		}
		if w.Trigger() {
			t.Error("a trigger after the end fired")
		}
		c.want(t, "after three triggers and a wait", 1)
	})
}

func TestTheFirstUseFiresToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counted
		w := warmup.Arm(t.Context(), c.work, warmup.Options{})
		if err := w.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		c.want(t, "waited for", 1)
	})
}

func TestRacingTriggersFireOnce(t *testing.T) {
	for range 200 {
		var c counted
		c.err = errors.New("no answer")
		gate := make(chan struct{})
		w := warmup.Arm(t.Context(), func(context.Context) error { c.runs.Add(1); return c.err }, warmup.Options{})
		var fired atomic.Int32
		var group sync.WaitGroup
		for i := range 16 {
			group.Go(func() {
				<-gate
				if i%4 == 0 {
					if err := w.Wait(t.Context()); !errors.Is(err, c.err) {
						t.Errorf("Wait: %v", err)
					}
				} else if w.Trigger() {
					fired.Add(1)
				}
			})
		}
		close(gate)
		group.Wait()
		w.Wait(t.Context())
		if runs := c.runs.Load(); runs != 1 || fired.Load() > 1 {
			t.Fatalf("%d runs, %d triggers that say they fired", runs, fired.Load())
		}
	}
}

// All triggers have found the slot free before the first takes it.
func TestTriggersThatAllFoundTheSlotFreeFireOnce(t *testing.T) {
	const triggers = 16
	var c counted
	var asked atomic.Int32
	all := make(chan struct{})
	w := warmup.Arm(t.Context(), func(context.Context) error { c.runs.Add(1); return nil }, warmup.Options{
		Configured: func() bool {
			if asked.Add(1) == triggers {
				close(all)
			}
			<-all
			return true
		},
	})
	var fired atomic.Int32
	var group sync.WaitGroup
	for range triggers {
		group.Go(func() {
			if w.Trigger() {
				fired.Add(1)
			}
		})
	}
	group.Wait()
	w.Wait(t.Context())
	if c.runs.Load() != 1 || fired.Load() != 1 {
		t.Errorf("%d runs, %d triggers that say they fired", c.runs.Load(), fired.Load())
	}
	if n := asked.Load(); n != triggers {
		t.Errorf("asked %d times for what is configured, the last time after the run", n)
	}
}

func TestEagerFiresWhenItIsArmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counted
		w := warmup.Arm(t.Context(), c.work, warmup.Options{Mode: warmup.Eager})
		c.want(t, "armed", 1)
		if w.Trigger() {
			t.Error("a trigger fired again")
		}
		time.Sleep(time.Minute)
		c.want(t, "a minute later", 1)
	})
}

func TestDelayedFiresByItselfOrEarlierByATrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var alone, triggered counted
		opts := warmup.Options{Mode: warmup.Delayed, Delay: 30 * time.Second}
		warmup.Arm(t.Context(), alone.work, opts)
		w := warmup.Arm(t.Context(), triggered.work, opts)
		time.Sleep(29 * time.Second)
		w.Trigger()
		alone.want(t, "before the delay", 0)
		triggered.want(t, "triggered before the delay", 1)
		time.Sleep(time.Hour)
		alone.want(t, "after the delay", 1)
		triggered.want(t, "triggered and after the delay", 1)
	})
}

func TestNothingConfiguredDoesNotTakeTheSlot(t *testing.T) {
	for mode, name := range []string{"on trigger", "eager", "delayed"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c counted
				var configured atomic.Bool
				opts := warmup.Options{Mode: warmup.Mode(mode), Configured: configured.Load}
				if opts.Mode == warmup.Delayed {
					opts.Delay = time.Second
				}
				w := warmup.Arm(t.Context(), c.work, opts)
				time.Sleep(time.Minute)
				if w.Trigger() {
					t.Error("fired with nothing configured")
				}
				if err := w.Wait(t.Context()); err != nil {
					t.Errorf("waiting for nothing: %v", err)
				}
				c.want(t, "nothing configured", 0)

				configured.Store(true)
				if !w.Trigger() {
					t.Error("the slot was taken")
				}
				configured.Store(false)
				start := time.Now()
				if err := w.Wait(t.Context()); err != nil || time.Since(start) != time.Second {
					t.Errorf("waiting for the run that had fired: %v after %v", err, time.Since(start))
				}
				c.want(t, "configured since", 1)
			})
		})
	}
}

func TestAnErrorIsKeptUnlessRetriesAreAskedFor(t *testing.T) {
	failure := errors.New("no answer")
	for _, retry := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := counted{err: failure}
			w := warmup.Arm(t.Context(), c.work, warmup.Options{Retry: retry})
			if err := w.Wait(t.Context()); err != failure {
				t.Errorf("the first run: %v", err)
			}
			time.Sleep(time.Hour)
			c.want(t, "an hour after the failure", 1) // nothing retries by itself

			c.err = nil
			start := time.Now()
			err := w.Wait(t.Context())
			if !retry {
				if err != failure || time.Since(start) != 0 {
					t.Errorf("without retries: %v after %v, want the error that was kept", err, time.Since(start))
				}
				c.want(t, "without retries", 1)
				return
			}
			if err != nil {
				t.Errorf("the retry: %v", err)
			}
			w.Trigger()
			c.want(t, "after a retry that succeeded", 2)
		})
	}
}

func TestRacingRetriesRunOneAtATime(t *testing.T) {
	var running, most atomic.Int32
	w := warmup.Arm(t.Context(), func(context.Context) error {
		most.Store(max(most.Load(), running.Add(1)))
		runtime.Gosched()
		running.Add(-1)
		return errors.New("never")
	}, warmup.Options{Retry: true})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				w.Wait(t.Context())
			}
		})
	}
	group.Wait()
	if most.Load() != 1 {
		t.Errorf("%d runs at once", most.Load())
	}
}

func TestWaitIsBoundedByItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c counted
		w := warmup.Arm(t.Context(), c.work, warmup.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if err := w.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a wait of 300 ms for work of 1 s: %v", err)
		}
		if err := w.Wait(t.Context()); err != nil {
			t.Errorf("the work did not survive one that had no time to wait: %v", err)
		}
		if err := w.Wait(ctx); err != nil {
			t.Errorf("a result that is there needs no time: %v", err)
		}
		c.want(t, "waited for thrice", 1)
	})
}

func TestStopDisarmsAndEndsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var armed, delayed, working counted
		a := warmup.Arm(t.Context(), armed.work, warmup.Options{})
		d := warmup.Arm(t.Context(), delayed.work, warmup.Options{Mode: warmup.Delayed, Delay: time.Second})
		w := warmup.Arm(t.Context(), working.work, warmup.Options{Mode: warmup.Eager})
		synctest.Wait()
		for _, each := range []*warmup.WarmUp{a, d, w} {
			each.Stop()
		}
		if a.Trigger() {
			t.Error("stopped, it fired")
		}
		if err := a.Wait(t.Context()); !errors.Is(err, warmup.ErrStopped) {
			t.Errorf("waiting for what was stopped: %v", err)
		}
		synctest.Wait()
		if err := w.Wait(t.Context()); !errors.Is(err, context.Canceled) {
			t.Errorf("the work did not see its context end: %v", err)
		}
		time.Sleep(time.Minute)
		armed.want(t, "stopped while armed", 0)
		delayed.want(t, "stopped before the delay", 0)
	})
}

func TestWorkDeafToItsContextHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := warmup.Arm(t.Context(), func(context.Context) error { time.Sleep(time.Hour); return nil }, warmup.Options{})
		w.Trigger()
		time.AfterFunc(time.Second, w.Stop)
		start := time.Now()
		if err := w.Wait(t.Context()); !errors.Is(err, warmup.ErrStopped) || time.Since(start) != time.Second {
			t.Errorf("Wait: %v after %v", err, time.Since(start))
		}
		time.Sleep(time.Hour)
	})
}

func TestWorkThatEndsItsGoroutineIsAnError(t *testing.T) {
	w := warmup.Arm(t.Context(), func(context.Context) error { runtime.Goexit(); return nil }, warmup.Options{})
	if err := w.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "ended its goroutine") {
		t.Errorf("Wait: %v", err)
	}
}

func TestContradictionsPanic(t *testing.T) {
	nothing := func(context.Context) error { return nil }
	for name, test := range map[string]struct {
		work func(context.Context) error
		opts warmup.Options
	}{
		"no work":             {nil, warmup.Options{}},
		"no delay":            {nothing, warmup.Options{Mode: warmup.Delayed}},
		"a negative delay":    {nothing, warmup.Options{Mode: warmup.Delayed, Delay: -1}},
		"a delay nobody uses": {nothing, warmup.Options{Delay: time.Second}},
		"an unknown mode":     {nothing, warmup.Options{Mode: 7}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was taken", name)
				}
			}()
			warmup.Arm(t.Context(), test.work, test.opts)
		}()
	}
}
