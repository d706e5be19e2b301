package loop_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

func TestPostedCallbacksRunOnceInTheirOrder(t *testing.T) {
	const posters, each = 8, 5000
	events := loop.New()
	var got [posters][]int
	run(t, events)
	var wait sync.WaitGroup
	for poster := range posters {
		wait.Go(func() {
			for i := range each {
				for errors.Is(events.Post(func() { got[poster] = append(got[poster], i) }), loop.ErrFull) {
					runtime.Gosched()
				}
			}
		})
	}
	wait.Wait()
	call(t, events, func() {
		for poster := range posters {
			if len(got[poster]) != each {
				t.Errorf("poster %d: %d of %d callbacks ran", poster, len(got[poster]), each)
			}
			for i, n := range got[poster] {
				if i != n {
					t.Fatalf("poster %d: callback %d ran as number %d", poster, n, i)
				}
			}
		}
	})
}

func TestFullQueueRefusesAndKeepsWhatItHas(t *testing.T) {
	events := loop.New(loop.WithQueue(3))
	ran := 0
	for range 3 {
		post(t, events, func() { ran++ })
	}
	if err := events.Post(func() { ran += 100 }); !errors.Is(err, loop.ErrFull) {
		t.Fatalf("the fourth Post: %v", err)
	}
	run(t, events)
	for errors.Is(events.Call(context.Background(), func() {}), loop.ErrFull) {
		runtime.Gosched()
	}
	call(t, events, func() {
		if ran != 3 {
			t.Errorf("%d callbacks ran, want the 3 that were accepted", ran)
		}
	})
	if got := events.Stats().Refused; got == 0 {
		t.Error("the refusal is not counted")
	}
}

func TestNilIsRefused(t *testing.T) {
	events := loop.New()
	if events.Post(nil) == nil || events.Call(context.Background(), nil) == nil {
		t.Error("a nil callback was accepted")
	}
	if loop.Offload[int](events, nil, func(int, error) {}) == nil {
		t.Error("a nil work was accepted")
	}
}

func TestCallOnTheLoopIsRefusedInsteadOfADeadlock(t *testing.T) {
	events := loop.New()
	run(t, events)
	call(t, events, func() {
		if err := events.Call(context.Background(), func() {}); !errors.Is(err, loop.ErrOnLoop) {
			t.Errorf("Call on the loop: %v", err)
		}
	})
	// A goroutine that the loop started is not the loop.
	result := make(chan error, 1)
	call(t, events, func() {
		go func() { result <- events.Call(context.Background(), func() {}) }()
	})
	if err := <-result; err != nil {
		t.Error(err)
	}
	// Nor is the loop another loop.
	other := loop.New()
	run(t, other)
	call(t, events, func() {
		if err := other.Call(context.Background(), func() {}); err != nil {
			t.Errorf("Call of another loop: %v", err)
		}
	})
}

func TestCallThatNobodyWaitsForAnyMoreNeverRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		run(t, events)
		gate := make(chan struct{})
		post(t, events, func() { <-gate })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := events.Call(ctx, func() { t.Error("the callback ran after its Call had returned") })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(gate)
	})
}

func TestCallReturnsWhenTheLoopEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- events.Run(ctx) }()
		gate := make(chan struct{})
		post(t, events, func() { <-gate })
		result := make(chan error, 1)
		go func() { result <- events.Call(context.Background(), func() {}) }()
		synctest.Wait()
		stop()
		synctest.Wait()
		close(gate)
		if err := <-result; !errors.Is(err, loop.ErrClosed) {
			t.Errorf("Call: %v", err)
		}
		<-ended
		if err := events.Post(func() {}); !errors.Is(err, loop.ErrClosed) {
			t.Errorf("Post after the end: %v", err)
		}
		if err := events.Call(context.Background(), func() {}); !errors.Is(err, loop.ErrClosed) {
			t.Errorf("Call after the end: %v", err)
		}
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	cause := errors.New("the service stops")
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		ctx, stop := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- events.Run(ctx) }()
		gate := make(chan struct{})
		finished := false
		post(t, events, func() { <-gate; finished = true })
		post(t, events, func() { t.Error("a queued callback ran after the context had ended") })
		synctest.Wait()
		if err := events.Run(ctx); !errors.Is(err, loop.ErrRunning) {
			t.Errorf("second Run: %v", err)
		}
		stop(cause)
		synctest.Wait()
		select {
		case err := <-ended:
			t.Fatalf("Run did not wait for its callback: %v", err)
		default:
		}
		close(gate)
		if err := <-ended; !errors.Is(err, cause) || !finished {
			t.Errorf("Run: %v, callback finished: %v", err, finished)
		}
		if err := events.Run(ctx); !errors.Is(err, loop.ErrRunning) {
			t.Errorf("Run after the end: %v", err)
		}
	})
}

func TestRunDoesNotWaitForEverAfterItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		ctx, stop := context.WithCancel(t.Context())
		gate := make(chan struct{})
		defer close(gate)
		events.Post(func() { stop(); <-gate })
		began := time.Now()
		err := events.Run(ctx)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "loop_test.go") {
			t.Errorf("Run: %v", err)
		}
		if waited := time.Since(began); waited != loop.DefaultProbeTimeout {
			t.Errorf("Run waited for %v", waited)
		}
	})
}

func TestCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New(loop.WithWorkers(1))
		ended := make(chan error, 1)
		go func() { ended <- events.Run(t.Context()) }()
		var got []string
		gate := make(chan struct{})
		for _, name := range []string{"first", "second"} {
			err := loop.Offload(events,
				func(context.Context) (string, error) { <-gate; return name, nil },
				func(name string, err error) { got = append(got, name) })
			if err != nil {
				t.Fatal(err)
			}
		}
		events.After(time.Hour, func() { t.Error("a timer fired after Close") })
		events.Every(time.Second, func() { t.Error("a tick after Close") })
		post(t, events, func() { got = append(got, "posted") })

		impatient, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		post(t, events, func() {
			if err := events.Close(context.Background()); err != nil {
				t.Errorf("Close on the loop: %v", err)
			}
			if err := events.Post(func() {}); !errors.Is(err, loop.ErrClosed) {
				t.Errorf("Post after Close: %v", err)
			}
		})
		if err := events.Close(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close returned %v before the offloaded work", err)
		}
		close(gate)
		if err := events.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
		if want := "posted first second"; strings.Join(got, " ") != want {
			t.Errorf("ran %v, want %v", got, want)
		}
	})
}

func TestCloseBeforeRunKeepsWhatWasAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New()
		ran := false
		post(t, events, func() { ran = true })
		timer := events.After(0, func() { t.Error("a timer fired after Close") })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := events.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close with something to run: %v", err)
		}
		if timer.Stop() || events.After(0, func() { t.Error("fired") }).Stop() {
			t.Error("a timer of a closed loop was set")
		}
		if err := events.Post(func() {}); !errors.Is(err, loop.ErrClosed) {
			t.Error(err)
		}
		if err := events.Run(t.Context()); err != nil || !ran {
			t.Errorf("Run: %v, ran: %v", err, ran)
		}
		if err := events.Run(t.Context()); !errors.Is(err, loop.ErrRunning) {
			t.Errorf("second Run: %v", err)
		}
	})
}

func TestCloseWithNothingToRunDoesNotWait(t *testing.T) {
	events := loop.New()
	for range 2 {
		if err := events.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if err := events.Run(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestPostAllocatesNothing(t *testing.T) {
	events := loop.New()
	run(t, events)
	done := make(chan struct{})
	signal := func() { done <- struct{}{} }
	allocations := testing.AllocsPerRun(1000, func() {
		_ = events.Post(signal)
		<-done
	})
	if allocations != 0 {
		t.Errorf("%v allocations per Post", allocations)
	}
}
