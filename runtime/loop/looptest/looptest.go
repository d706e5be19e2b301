// Package looptest fails a test in which a callback held the loop too long.
//
//	func TestSessions(t *testing.T) {
//		events := looptest.Start(t, 50*time.Millisecond)
//		sessions := NewSessions(events)
//		...
//	}
//
// A callback that a starved machine has slowed down is logged and does not fail
// the test (see [loop.Stall]). The budget is still a time: give it room, a
// blocking call that matters takes far longer than any computation a loop
// should do.
package looptest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

// patience is how long the end of a test waits for its loop.
const patience = 10 * time.Second

// Start runs a loop until the test ends. The test fails for each callback that
// runs longer than budget, with the stack it had when the budget was used up,
// and if the loop ends with an error, such as a panic of a callback. At the end
// of the test the loop is drained; the test fails if that takes longer than
// 10 s. [loop.WithStallAfter] and [loop.WithOnStall] have no effect here.
func Start(t testing.TB, budget time.Duration, options ...loop.Option) *loop.Loop {
	t.Helper()
	judge := &judge{t: t, budget: budget}
	events := loop.New(append(options, loop.WithStallAfter(budget), loop.WithOnStall(judge.stall))...)

	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- events.Run(ctx) }()
	t.Cleanup(func() {
		t.Helper()
		defer stop()
		drain, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := events.Close(drain); err != nil {
			t.Errorf("the loop still works %v after the end of the test: %v", patience, err)
			judge.dismiss()
			return
		}
		if err := <-ended; err != nil {
			t.Errorf("the loop ended early: %v", err)
		}
	})
	return events
}

// A judge turns stalls into failures, as long as there is a test to fail.
type judge struct {
	mu     sync.Mutex
	t      testing.TB
	budget time.Duration
	done   bool
}

func (j *judge) stall(s loop.Stall) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.done:
	case s.Starved:
		j.t.Logf("not counted: %v", s)
	default:
		j.t.Errorf("over the budget of %v: %v\n%s", j.budget, s, s.Stack)
	}
}

func (j *judge) dismiss() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done = true
}
