package loop_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

func TestOffloadWorksOutsideAndReturnsOntoTheLoop(t *testing.T) {
	events := loop.New()
	run(t, events)
	onLoop := func() bool {
		return errors.Is(events.Call(context.Background(), func() {}), loop.ErrOnLoop)
	}
	failure := errors.New("no such host")
	done := make(chan struct{})
	err := loop.Offload(events,
		func(context.Context) (int, error) {
			if onLoop() {
				t.Error("the work ran on the loop")
			}
			return 42, failure
		},
		func(n int, err error) {
			defer close(done)
			if !onLoop() {
				t.Error("the result came back outside the loop")
			}
			if n != 42 || err != failure {
				t.Errorf("got %v, %v", n, err)
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	<-done
}

func TestOffloadRunsNoMoreWorksThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New(loop.WithWorkers(3), loop.WithQueue(10))
		var active, most, results atomic.Int32
		work := func(context.Context) (int, error) {
			most.Store(max(most.Load(), active.Add(1)))
			time.Sleep(time.Second)
			active.Add(-1)
			return 0, nil
		}
		then := func(int, error) { results.Add(1) }
		for range 10 {
			if err := loop.Offload(events, work, then); err != nil {
				t.Fatal(err)
			}
		}
		if err := loop.Offload(events, work, then); !errors.Is(err, loop.ErrFull) {
			t.Errorf("the 11th work: %v", err)
		}
		run(t, events)
		time.Sleep(3500 * time.Millisecond)
		if most.Load() != 3 || results.Load() != 9 {
			t.Errorf("%d at a time and %d done after 3 rounds, want 3 and 9", most.Load(), results.Load())
		}
		time.Sleep(time.Second)
		if got := events.Stats().Offloaded; got != 0 || results.Load() != 10 {
			t.Errorf("%d done, %d outstanding", results.Load(), got)
		}
	})
}

func TestOffloadedWorkThatDoesNotReturn(t *testing.T) {
	tests := map[string]struct {
		end   func()
		check func(error) bool
	}{
		"panic": {func() { panic("no disk") }, func(err error) bool {
			e, ok := errors.AsType[*loop.PanicError](err)
			return ok && strings.Contains(e.Origin.String(), "offload_test.go") && strings.Contains(string(e.Stack), "offload_test.go")
		}},
		"Goexit": {runtime.Goexit, func(err error) bool { return errors.Is(err, loop.ErrNoResult) }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			events := loop.New(loop.WithWorkers(1), loop.WithOnPanic(func(*loop.PanicError) error { return nil }))
			run(t, events)
			results := make(chan error, 2)
			works := []func(context.Context) (int, error){
				func(context.Context) (int, error) { test.end(); return 1, nil },
				func(context.Context) (int, error) { return 2, nil },
			}
			for _, work := range works {
				if err := loop.Offload(events, work, func(_ int, err error) { results <- err }); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-results; !test.check(err) {
				t.Errorf("the result: %v", err)
			}
			if err := <-results; err != nil {
				t.Errorf("the work after it: %v", err)
			}
		})
	}
}

func TestPanicOfOffloadedWorkEndsTheLoopUnlessToldOtherwise(t *testing.T) {
	events := loop.New()
	err := loop.Offload(events,
		func(context.Context) (int, error) { panic("no disk") },
		func(int, error) { t.Error("the result of a panic was delivered") })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*loop.PanicError](events.Run(context.Background())); !ok {
		t.Error("Run did not return the panic")
	}
}

func TestWorkIsCancelledWithTheLoopAndWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New(loop.WithWorkers(1))
		ctx, stop := context.WithCancel(t.Context())
		cancelled := false
		work := func(ctx context.Context) (int, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // what it takes to clean up
			cancelled = true
			return 0, ctx.Err()
		}
		for range 2 {
			if err := loop.Offload(events, work, func(int, error) { t.Error("came back to a loop that has ended") }); err != nil {
				t.Fatal(err)
			}
		}
		time.AfterFunc(time.Second, stop)
		began := time.Now()
		err := events.Run(ctx)
		if !errors.Is(err, context.Canceled) || !cancelled {
			t.Errorf("Run: %v, cancelled: %v", err, cancelled)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("Run took %v: the second work was started, or the first not waited for", took)
		}
	})
}

func TestWorkIsCancelledWhenTheLoopEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		err := loop.Offload(events,
			func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
			func(int, error) { t.Error("came back to a loop that has ended") })
		if err != nil {
			t.Fatal(err)
		}
		events.After(time.Second, func() { panic("the end") })
		began := time.Now()
		if _, ok := errors.AsType[*loop.PanicError](events.Run(t.Context())); !ok || time.Since(began) != time.Second {
			t.Errorf("Run took %v", time.Since(began))
		}
	})
}
