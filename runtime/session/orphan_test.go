package session_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/session"
)

const grace = session.DefaultGrace

// wait lets time pass, and what is due then happen.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestAnOrphanIsReapedAfterItsGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		client := w.connect("a")
		wait(10 * time.Hour)
		w.expectAlive("a")
		client.Drop()
		wait(grace - time.Millisecond)
		w.expectAlive("a")
		wait(time.Millisecond)
		w.expectGone("a")
		if e := w.closing(t, "a"); e.reaper != "orphan" || e.code != 4007 || e.level != slog.LevelInfo {
			t.Errorf("closed with %+v", e)
		}
	})
}

func TestASessionThatNoClientEverCameToIsAnOrphan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		if err := w.Add("a"); err != nil {
			t.Fatal(err)
		}
		wait(grace)
		w.expectGone("a")
	})
}

func TestAReconnectCancelsAndItsDropCountsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		w.connect("a").Drop()
		wait(grace - time.Second)
		second := w.connect("a")
		wait(time.Hour)
		w.expectAlive("a")
		second.Drop()
		wait(grace - time.Second) // the timer of the first detachment is long past
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a")
	})
}

func TestALateCallOfAClosedSocketChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		first := w.connect("a")
		second := w.connect("a")
		if first.Drop() || first.Touch() {
			t.Error("an older client was taken for the newest")
		}
		wait(time.Hour)
		w.expectAlive("a")
		second.Drop()
		wait(grace / 2)
		if second.Touch() || second.Drop() || first.Touch() {
			t.Error("a client that is gone was taken for connected")
		}
		wait(grace / 2)
		w.expectGone("a")
	})
}

func TestATurnWithoutClientIsKeptWhileItMakesProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		interrupts := make(chan string, 10)
		w := newWorld(t, session.Options{Interrupt: func(_ context.Context, id string) error {
			interrupts <- id
			return nil
		}})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		for range 10 {
			wait(session.DefaultActivityStale - time.Second)
			w.expectAlive("a")
			turn.Active()
		}
		if len(interrupts) != 0 {
			t.Fatal("a turn that makes progress was interrupted")
		}
		turn.End()
		wait(grace - time.Second)
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a")
	})
}

func TestASilentTurnIsInterruptedOnceAndThenItsSessionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		interrupts := make(chan string, 10)
		w := newWorld(t, session.Options{Interrupt: func(_ context.Context, id string) error {
			interrupts <- id
			return errors.New("it did not hear")
		}})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		wait(session.DefaultActivityStale)
		if _, err := w.Connect("a"); code(err) != session.Interrupted {
			t.Fatalf("connecting: %v, want 4009", err)
		}
		if _, err := w.BeginTurn("a"); code(err) != session.Interrupted {
			t.Fatalf("beginning a turn: %v, want 4009", err)
		}
		wait(30 * time.Second)
		w.expectAlive("a")
		turn.End()
		synctest.Wait()
		w.expectGone("a")
		if e := w.closing(t, "a"); e.code != 4009 || e.level != slog.LevelInfo {
			t.Errorf("closed with %+v", e)
		}
		if len(interrupts) != 1 {
			t.Errorf("%d interrupts, want 1", len(interrupts))
		}
	})
}

func TestATurnThatHeedsNoInterruptIsReapedByForce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{ActivityStale: session.Never})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		wait(grace + 60*time.Second)
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a")
		if e := w.closing(t, "a"); e.level != slog.LevelError || e.code != 4009 {
			t.Errorf("closed with %+v, want an error", e)
		}
		turn.End() // nobody minds
	})
}

func TestADelegationSparesFromTheOrphanReaper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		client := w.connect("a")
		release := w.hold("a", session.Delegation)
		releaseOther := w.hold("a", session.Background)
		client.Drop()
		wait(24 * time.Hour)
		w.expectAlive("a")
		release()
		release() // void
		wait(grace - time.Second)
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a") // the background process spares from the TTL and the cap only
		releaseOther()
	})
}

func TestAGraceOfNeverReapsNoOrphan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv(session.GraceVariable, "0")
		w := newWorld(t, session.Options{Grace: time.Second, TTL: session.Never})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		wait(time.Hour)
		turn.End()
		wait(100 * time.Hour)
		w.expectAlive("a")
	})
}

func TestTheGraceVariable(t *testing.T) {
	for _, test := range []struct {
		value string
		grace time.Duration // 0 for an error
	}{
		{"", 7 * time.Second},
		{"3", 3 * time.Second},
		{"0.5", 500 * time.Millisecond},
		{"1e1", 10 * time.Second},
		{"-1", 0}, {"20s", 0}, {"twenty", 0}, {"NaN", 0}, {"Inf", 0}, {"1e12", 0}, {" 3", 0}, {"1e-12", 0},
	} {
		t.Run(test.value, func(t *testing.T) {
			t.Setenv(session.GraceVariable, test.value)
			synctest.Test(t, func(t *testing.T) {
				r, err := session.New(session.Options{Grace: 7 * time.Second})
				if test.grace == 0 {
					if err == nil {
						t.Error("want an error")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer r.Shutdown(t.Context())
				if err := r.Add("a"); err != nil {
					t.Fatal(err)
				}
				wait(test.grace - time.Millisecond)
				before := r.Len()
				wait(time.Millisecond)
				if before != 1 || r.Len() != 0 {
					t.Errorf("%d sessions before the grace ended and %d after it, want 1 and 0", before, r.Len())
				}
			})
		})
	}
}

func TestBadOptionsAreErrors(t *testing.T) {
	for name, opts := range map[string]session.Options{
		"grace":    {Grace: -2},
		"scan":     {Scan: session.Never},
		"cap":      {MaxLive: -1},
		"hook":     {Hooks: []session.Hook{{Name: "nothing"}}},
		"question": {QuestionBound: -1},
	} {
		if _, err := session.New(opts); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	r, err := session.New(session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Shutdown(t.Context())
	if err := r.Add(""); err == nil {
		t.Error("a session without id was added")
	}
	if _, err := r.Connect("nobody"); !errors.Is(err, session.ErrUnknown) {
		t.Errorf("connecting to an unknown session: %v", err)
	}
}
