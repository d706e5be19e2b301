package looptest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/loop/looptest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// A recorder is a test whose failures are kept.
type recorder struct {
	testing.TB

	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Cleanup(f func())    { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) end() string {
	for _, f := range r.cleanups {
		f()
	}
	return strings.Join(r.failures, "\n")
}

func sleepTooLong() { time.Sleep(time.Second) }

func TestBudget(t *testing.T) {
	tests := map[string]struct {
		callback func()
		want     []string // nothing: the test passes
	}{
		"a callback within the budget passes": {callback: func() { time.Sleep(9 * time.Millisecond) }},
		"one over it fails with its stack":    {sleepTooLong, []string{"budget of 10ms", "looptest_test.go", "sleepTooLong", "held the loop for 1s"}},
		"a panic fails":                       {func() { panic("boom") }, []string{"boom", "looptest_test.go"}},
		"a callback that never ends fails":    {func() { time.Sleep(time.Minute) }, []string{"still works 10s after"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &recorder{TB: t}
				events := looptest.Start(r, 10*time.Millisecond)
				if err := events.Post(test.callback); err != nil {
					t.Fatal(err)
				}
				got := r.end()
				time.Sleep(time.Hour) // until the longest callback has ended
				for _, want := range test.want {
					if !strings.Contains(got, want) {
						t.Errorf("no %q in the failures:\n%s", want, got)
					}
				}
				if len(test.want) == 0 && got != "" {
					t.Errorf("failed: %s", got)
				}
			})
		})
	}
}

func TestRealTimePassesForShortCallbacks(t *testing.T) {
	events := looptest.Start(t, 10*time.Second)
	ran := false
	if err := events.Call(context.Background(), func() { ran = true }); err != nil || !ran {
		t.Fatal(ran, err)
	}
}
