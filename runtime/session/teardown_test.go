package session_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/session"
)

// A recorder is a hook that says what it was told, and when.
type recorder struct {
	mu    sync.Mutex
	lines []string
	start time.Time
}

func (r *recorder) hook(name string, takes time.Duration) session.Hook {
	return session.Hook{Name: name, Bound: time.Second, Run: func(ctx context.Context, c session.Closing) error {
		r.say(name + " " + c.Session + " " + c.Code.String() + " at " + time.Since(r.start).String())
		select {
		case <-time.After(takes):
			return errors.New("not without trouble")
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

func (r *recorder) say(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

func TestHooksRunOneAfterAnotherEachWithinItsBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{start: time.Now()}
		w := newWorld(t, session.Options{Hooks: []session.Hook{
			r.hook("transcript", time.Hour), r.hook("lease", 500*time.Millisecond), r.hook("socket", 0),
		}})
		w.connect("a").Drop()
		wait(grace)
		if _, err := w.Connect("a"); code(err) != session.Retired {
			t.Errorf("connecting during the tear-down: %v, want 4007", err)
		}
		if err := w.Add("a"); !errors.Is(err, session.ErrExists) {
			t.Errorf("adding during the tear-down: %v", err)
		}
		wait(2 * time.Second)
		if _, err := w.Connect("a"); !errors.Is(err, session.ErrUnknown) {
			t.Errorf("connecting after the tear-down: %v", err)
		}
		want := []string{
			"transcript a 4007 retired at 20s", "lease a 4007 retired at 21s", "socket a 4007 retired at 21.5s",
		}
		if !slices.Equal(r.lines, want) {
			t.Errorf("hooks: %q\nwant: %q", r.lines, want)
		}
	})
}

func TestTheHooksOfAClosedTurnWaitForItAWhile(t *testing.T) {
	for name, test := range map[string]struct{ turn, hooks time.Duration }{
		"it ends":         {turn: 2 * time.Second, hooks: 2 * time.Second},
		"it does not end": {turn: time.Hour, hooks: session.DefaultBound},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &recorder{start: time.Now()}
				interrupted := make(chan string, 2)
				w := newWorld(t, session.Options{
					Hooks: []session.Hook{r.hook("h", 0)},
					Interrupt: func(_ context.Context, id string) error {
						interrupted <- id
						return nil
					},
				})
				w.connect("a")
				turn := w.turn("a")
				if err := w.Close("a", "done"); err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(test.turn, turn.End)
				wait(2 * time.Hour)
				if want := []string{"h a 4007 retired at " + test.hooks.String()}; !slices.Equal(r.lines, want) {
					t.Errorf("hooks: %q\nwant: %q", r.lines, want)
				}
				if len(interrupted) != 1 {
					t.Errorf("%d interrupts, want 1", len(interrupted))
				}
			})
		})
	}
}

func TestShutdownWaitsForTheHooksAndStopsTheReapers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{start: time.Now()}
		w := newWorld(t, session.Options{Hooks: []session.Hook{r.hook("h", 700*time.Millisecond)}})
		w.connect("a").Drop()
		kept := w.connect("b")
		wait(grace)
		kept.Drop()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := w.Shutdown(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown with hooks at work: %v", err)
		}
		if err := w.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if waited := time.Since(r.start) - grace; waited != 700*time.Millisecond {
			t.Errorf("Shutdown waited %v, want as long as the hook", waited)
		}
		wait(24 * time.Hour)
		if n := len(w.of("b", "closed")); n != 0 {
			t.Error("a session was closed after Shutdown")
		}
		if err := w.Add("c"); !errors.Is(err, session.ErrShutdown) {
			t.Errorf("adding after Shutdown: %v", err)
		}
	})
}
