package loop_test

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

func TestMain(m *testing.M) {
	if os.Getenv(starvedChild) != "" {
		runStarvedChild()
		return
	}
	goleak.VerifyTestMain(m)
}

// run runs the loop until the test ends, and expects no error of it.
func run(t *testing.T, events *loop.Loop) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- events.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := events.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// call runs f on the loop and waits for it.
func call(t *testing.T, events *loop.Loop, f func()) {
	t.Helper()
	if err := events.Call(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func post(t *testing.T, events *loop.Loop, f func()) {
	t.Helper()
	if err := events.Post(f); err != nil {
		t.Fatal(err)
	}
}
