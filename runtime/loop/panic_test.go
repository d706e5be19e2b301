package loop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

// here returns "file:line" of its caller.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line)
}

func nothing(context.Context) (int, error) { return 0, nil }

func explode() { panic(fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)) }

func TestPanicNamesWhereTheCallbackCameFrom(t *testing.T) {
	var where string
	tests := map[string]func(*loop.Loop){
		"Post":    func(l *loop.Loop) { where = here(); l.Post(explode) },
		"After":   func(l *loop.Loop) { where = here(); l.After(0, explode) },
		"Every":   func(l *loop.Loop) { where = here(); l.Every(time.Microsecond, explode) },
		"Offload": func(l *loop.Loop) { where = here(); loop.Offload(l, nothing, func(int, error) { explode() }) },
		"Call":    func(l *loop.Loop) { go func() { where = here(); l.Call(context.Background(), explode) }() },
	}
	for name, give := range tests {
		t.Run(name, func(t *testing.T) {
			events := loop.New()
			give(events)
			err := events.Run(context.Background())
			e, ok := errors.AsType[*loop.PanicError](err)
			if !ok {
				t.Fatalf("Run: %v", err)
			}
			if !strings.Contains(e.Error(), where) {
				t.Errorf("the origin is %v, want %s", e.Origin, where)
			}
			if !strings.Contains(string(e.Stack), "explode") || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the panic itself is lost: %v", e)
			}
		})
	}
}

func TestLoopGoesOnAfterAPanicIfTold(t *testing.T) {
	events := loop.New(loop.WithOnPanic(func(e *loop.PanicError) error {
		if e.Value == "fatal" {
			return fmt.Errorf("giving up: %w", e)
		}
		return nil
	}))
	ended := make(chan error, 1)
	go func() { ended <- events.Run(context.Background()) }()
	if err := events.Call(context.Background(), func() { panic("harmless") }); !errors.Is(err, loop.ErrNoResult) {
		t.Errorf("Call of a callback that panics: %v", err)
	}
	call(t, events, func() {})
	if got := events.Stats().Panics; got != 1 {
		t.Errorf("%d panics counted", got)
	}
	post(t, events, func() { panic("fatal") })
	if err := <-ended; err == nil || !strings.HasPrefix(err.Error(), "giving up") {
		t.Errorf("Run: %v", err)
	}
}

func TestGoexitInACallbackEndsTheLoopWithAnError(t *testing.T) {
	events := loop.New()
	post(t, events, runtime.Goexit)
	err := events.Run(context.Background())
	if !errors.Is(err, loop.ErrNoResult) || !strings.Contains(err.Error(), "panic_test.go") && !strings.Contains(err.Error(), "main_test.go") {
		t.Errorf("Run: %v", err)
	}
}
