package session_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/session"
)

// The tests of this file are failures that a system of the same kind has had.

// The orphan reaper's only timer came while a turn ran, and was not set again.
func TestASessionInTheMiddleOfATurnKeepsItsTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		wait(grace + time.Second)
		w.expectAlive("a")
		turn.End()
		wait(grace)
		w.expectGone("a")
	})
}

func TestTheScanRepairsALostTimer(t *testing.T) {
	for _, others := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, session.Options{})
			for _, id := range ids("other", others) {
				w.connect(id).Drop()
				w.hold(id, session.Delegation)
			}
			w.connect("a").Drop()
			w.LoseTimer("a")
			wait(grace)
			w.expectAlive("a")
			wait(session.DefaultScan)
			w.expectGone("a")
			if n := len(w.of("a", "repaired")); n != 1 {
				t.Errorf("repaired %d times, want once", n)
			}
		})
	}
}

// The timers died with the process, and its sessions were open for ever.
func TestTheSessionsOfADeadProcessAreTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := newWorld(t, session.Options{})
		before.connect("a")
		before.connect("b").Drop()
		if err := before.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		before.expectAlive("b") // the process is gone, and so are its reapers

		w := newWorld(t, session.Options{})
		for _, id := range []string{"a", "b"} {
			if err := w.Restore(id, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		wait(grace / 2)
		w.connect("a")
		wait(grace / 2)
		w.expectAlive("a")
		w.expectGone("b")
	})
}

// The machine slept, and when it woke the reapers came before the clients.
func TestASleepOfTheMachineIsNoPartOfTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := newSleepyClock()
		w := newWorld(t, session.Options{Clock: clock})
		w.connect("a").Drop()
		wait(grace / 4)
		w.connect("b").Drop()
		clock.sleep(8 * time.Hour)
		w.Fire()
		w.expectAlive("a")
		wait(grace - grace/4 - time.Second)
		w.expectAlive("a")
		w.connect("b")
		wait(time.Second + grace/4)
		w.expectGone("a")
		w.expectAlive("b")
	})
}

// A client that comes first after the sleep is how it is noticed.
func TestASleepIsNoticedByWhoComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := newSleepyClock()
		w := newWorld(t, session.Options{Clock: clock, Grace: session.Never})
		w.connect("a").Drop()
		wait(time.Hour)
		clock.sleep(30 * time.Hour)
		w.connect("b").Drop()
		w.Fire()
		w.expectAlive("a")
		wait(session.DefaultTTL)
		w.expectGone("a")
	})
}

func TestATimerThatComesTooEarlyIsSetAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		w.connect("a").Drop()
		for range 19 {
			wait(time.Second)
			w.Fire()
			w.expectAlive("a")
		}
		wait(time.Second)
		w.expectGone("a")
	})
}

// One session was reaped 632 times while the agent stopped answering.
func TestNothingIsReapedInAHotLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("spared")
		w := newWorld(t, session.Options{Schedules: s, TTL: session.DefaultScan, MaxLive: 1})
		for _, id := range []string{"spared", "delegating", "running", "interrupted"} {
			client := w.connect(id)
			switch id {
			case "delegating":
				defer w.hold(id, session.Delegation)()
			case "running", "interrupted":
				turn := w.turn(id)
				defer turn.End()
			}
			client.Drop()
		}
		s.fail(errors.New("the disk is gone"))
		wait(time.Hour)
		for _, id := range []string{"spared", "delegating", "running", "interrupted"} {
			// A silent turn adds a poll each second for a minute, without a question.
			if n := s.questions(id); n > 20 {
				t.Errorf("%s was asked about %d times in an hour", id, n)
			}
			if n := len(w.of(id, "closed")); n > 1 {
				t.Errorf("%s was closed %d times", id, n)
			}
		}
	})
}

// A stop that came as the turn ended stopped every turn after it.
func TestAStopThatComesLateStopsNoLaterTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		client := w.connect("a")
		if asked, err := w.Interrupt("a", "stop"); asked || err != nil {
			t.Errorf("without a turn: %v, %v", asked, err)
		}
		first := w.turn("a")
		for _, want := range []bool{true, false} {
			if asked, err := w.Interrupt("a", "stop"); asked != want || err != nil {
				t.Errorf("Interrupt = %v, %v, want %v", asked, err, want)
			}
		}
		first.End()
		second := w.turn("a")
		first.End() // void: the turn is not its own
		if _, err := w.BeginTurn("a"); !errors.Is(err, session.ErrBusy) {
			t.Errorf("the second turn was ended by the first one's End: %v", err)
		}
		if asked, _ := w.Interrupt("a", "stop"); !asked {
			t.Error("the second turn counts as stopped already")
		}
		second.End()
		client.Drop()
	})
}

// A session was spared for its schedule, whose turn could not begin because the
// session was interrupted, while its client was refused for the same reason.
func TestASettledInterruptBeatsTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules()
		w := newWorld(t, session.Options{Schedules: s})
		client := w.connect("a")
		turn := w.turn("a")
		client.Drop()
		wait(session.DefaultActivityStale)
		if _, err := w.Connect("a"); code(err) != session.Interrupted {
			t.Fatalf("connecting: %v, want 4009", err)
		}
		s.set("a", true) // the turn that is being interrupted begins a schedule
		w.Recheck("a")
		turn.End()
		synctest.Wait()
		w.expectGone("a")
	})
}

func TestAScheduleThatIsPausedReleasesItsSessionAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("a", "b")
		w := newWorld(t, session.Options{Schedules: s})
		w.connect("a").Drop()
		w.connect("b").Drop()
		wait(grace + time.Second)
		s.set("a", false)
		w.Recheck("a")
		w.Recheck("nobody")
		synctest.Wait()
		w.expectGone("a")
		w.Recheck("b")
		wait(time.Minute)
		w.expectAlive("b")
	})
}

// Synchronous reads of the store froze the loop for minutes.
func TestAStoreThatHangsFreezesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("live")
		hang := make(chan struct{})
		for _, id := range ids("d", 100) {
			s.hang[id] = hang
		}
		w := newWorld(t, session.Options{Schedules: s})
		for _, id := range ids("d", 100) {
			w.connect(id).Drop()
		}
		wait(grace + time.Millisecond) // the reaper waits for its first answer

		start := time.Now()
		client := w.connect("new")
		turn := w.turn("new")
		turn.Active()
		turn.End()
		client.Drop()
		w.connect("d0099")
		if waited := time.Since(start); waited != 0 {
			t.Errorf("clients waited %v for the store", waited)
		}

		wait(9 * session.DefaultBound)
		w.expectAlive("d0099")
		if w.Len() != 1 {
			t.Errorf("%d sessions are left, want 1: silence is a no", w.Len())
		}
		close(hang)
		synctest.Wait()

		// The store is back.
		w.connect("live").Drop()
		wait(time.Hour)
		w.expectAlive("live")
	})
}

// One session's lock, held by another process, must not cost the others.
func TestOneHangingScheduleDoesNotCostTheOthersTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules(ids("live", 20)...)
		s.hang["hangs"] = make(chan struct{})
		w := newWorld(t, session.Options{Schedules: s})
		w.connect("hangs").Drop()
		for _, id := range ids("live", 20) {
			w.connect(id).Drop()
		}
		wait(time.Hour)
		w.expectGone("hangs")
		for _, id := range ids("live", 20) {
			w.expectAlive(id)
		}
		close(s.hang["hangs"])
	})
}

func TestAStoreThatCannotBeReadKeepsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("a")
		w := newWorld(t, session.Options{Schedules: s})
		w.connect("a").Drop()
		wait(grace)
		w.expectAlive("a")
		s.fail(errors.New("the disk is gone"))
		wait(session.DefaultScan)
		w.expectGone("a")
		if n := len(w.of("a", "store unreadable")); n != 1 {
			t.Errorf("the store's failure was told %d times, want once", n)
		}
	})
}

// The reapers read the environment on the loop, from a file of a slow disk.
func TestTheEnvironmentIsReadOnceAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv(session.GraceVariable, "40")
		w := newWorld(t, session.Options{})
		os.Setenv(session.GraceVariable, "nonsense")
		w.connect("a").Drop()
		wait(39 * time.Second)
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a")
	})
}

// A sync to the disk in a hook delayed the heartbeat of everybody.
func TestAHookThatHangsDelaysNoSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		w := newWorld(t, session.Options{Hooks: []session.Hook{{
			Name: "fsync",
			Run: func(context.Context, session.Closing) error {
				<-hang
				return nil
			},
		}}})
		for _, id := range ids("a", 40) {
			w.connect(id).Drop()
		}
		wait(grace)
		for _, id := range ids("a", 40) {
			w.closing(t, id)
		}
		start := time.Now()
		w.connect("b").Drop()
		if waited := time.Since(start); waited != 0 {
			t.Errorf("a client waited %v for the hooks of others", waited)
		}
		wait(grace)
		w.closing(t, "b")
		wait(time.Minute)
		if late := w.Late(); late != 41 {
			t.Errorf("%d hooks count as late, want 41", late)
		}
		if err := w.Add("b"); err != nil {
			t.Errorf("the session is still in the way: %v", err)
		}
		close(hang)
		wait(grace)
		if late := w.Late(); late != 0 {
			t.Errorf("%d hooks count as late after they returned", late)
		}
	})
}
