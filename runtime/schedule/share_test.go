package schedule_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func TestARoutedScheduleIsDrivenByTheOtherDriverOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outside := &agent{}
		w := newWorld(t, schedule.Options{})
		gateway := open(t, schedule.Options{Store: w.store, External: outside})
		routed := loop(m)
		routed.Route = "chat/42"
		w.create("routed", routed)
		w.create("own", loop(m))
		for _, session := range []string{"routed", "own"} {
			must(t, gateway.Open(t.Context(), session))
		}
		wait(150 * s)
		if w.agent.count() != 3 || outside.count() != 3 {
			t.Errorf("%d turns here and %d outside, want 3 and 3", w.agent.count(), outside.count())
		}
		for _, turn := range outside.ticks {
			if turn.Session != "routed" || turn.Route != "chat/42" {
				t.Errorf("outside: %+v", turn)
			}
		}
		if w.sole("routed") || !w.sole("own") {
			t.Error("want the routed schedule to pin nobody, and the other to")
		}
		if yes, _ := gateway.SoleEngine(t.Context(), "own"); yes {
			t.Error("the gateway takes itself for the engine of a schedule that it does not drive")
		}
	})
}

func TestTwoEnginesOfOneStoreShareTheTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.create("a", loop(m))
		for range 4 {
			e := open(t, schedule.Options{Store: w.store, Local: w.agent})
			must(t, e.Open(t.Context(), "a"))
		}
		wait(time.Hour - s)
		if got := w.get("a"); w.agent.count() != 60 || got.Ticks != 60 {
			t.Errorf("%d turns and %d ticks in an hour, want 60", w.agent.count(), got.Ticks)
		}
	})
}

// Turns that outlast their interval are overdue all the time, and live.
func TestAnEngineLeavesTheLongTurnOfAnotherAlone(t *testing.T) {
	for name, anonymous := range map[string]bool{"by its process": false, "where processes have no identity": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, schedule.Options{})
				w.store.anonymous = anonymous
				w.agent.takes = 10 * m
				w.create("a", loop(m))
				for range 3 {
					e := open(t, schedule.Options{Store: w.store, Local: w.agent})
					must(t, e.Open(t.Context(), "a"))
				}
				wait(10*m - s)
				if got := w.get("a"); w.agent.count() != 1 || got.Ticks != 1 || got.Claim == nil {
					t.Errorf("during the first turn: %d turns begun, %+v", w.agent.count(), got)
				}
				wait(22 * m)
				if got := w.get("a"); w.agent.count() != 3 || got.Ticks != 3 {
					t.Errorf("%d turns begun, %d ticks, want 3", w.agent.count(), got.Ticks)
				}
			})
		})
	}
}

func TestAClaimOfAnotherProcessIsVoidWhereThereAreNoIdentities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.store.anonymous = true
		w.agent.takes = s
		w.create("a", loop(m))
		wait(2 * s)
		must(t, w.store.Update(t.Context(), "a", func(d *schedule.Document) error {
			d.Schedules[schedule.Loop].Claim = &schedule.ClaimRecord{Token: "of a process that is no more", Started: true}
			return nil
		}))
		wait(90 * s)
		if got := w.get("a"); w.agent.count() != 2 || got.Claim != nil {
			t.Errorf("%d turns begun, %+v, want the claim gone and a second turn", w.agent.count(), got)
		}
	})
}

func TestAStoreThatFailsLosesNoTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 10 * s
		w.create("a", loop(m))
		wait(5 * s)
		w.store.fail(errDisk) // while the first turn runs
		if _, err := w.SoleEngine(t.Context(), "a"); err == nil {
			t.Error("want an error of the store")
		}
		wait(time.Hour)
		if n := w.agent.count(); n != 1 {
			t.Fatalf("%d turns without a store, want 1: one that cannot be claimed is not run", n)
		}
		w.store.fail(nil)
		wait(90 * s)
		if got := w.get("a"); w.agent.count() != 2 || got.Ticks != 2 {
			t.Errorf("%d turns and %d ticks, want the second", w.agent.count(), got.Ticks)
		}
	})
}

// A store that hangs for one session, or syncs slowly, delays no other session and
// no method that does not say that it waits.
func TestAStoreThatHangsDelaysNoOtherSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.create("a", loop(m))
		w.create("b", loop(m))
		wait(s)
		hang := make(chan struct{})
		w.store.mu.Lock()
		w.store.hang["a"] = hang
		w.store.mu.Unlock()
		wait(10 * m)
		if n := w.agent.count(); n != 1+11 {
			t.Errorf("%d turns, want one of a and 11 of b", n)
		}
		start := time.Now()
		w.create("c", loop(m))
		w.Forget("b")
		if time.Since(start) != 0 {
			t.Error("a method has waited for another session's store")
		}
		short, cancel := context.WithTimeout(t.Context(), s)
		defer cancel()
		if err := w.Close(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close with a store that hangs: %v", err)
		}
		close(hang)
	})
}

func TestCloseEndsTheTurnsAndWritesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = time.Hour
		w.create("a", loop(m))
		wait(s)
		must(t, w.Close(t.Context()))
		if got := w.get("a"); got.Ticks != 1 || got.Claim != nil || got.Status != schedule.Active {
			t.Errorf("%+v", got)
		}
	})
}

func TestSchedulesMoveToANewID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 10 * s
		w.create("old", loop(m))
		w.create("other", loop(m))
		wait(5 * s)
		must(t, w.Rename(t.Context(), "old", "new")) // in the middle of a tick
		if w.sole("old") || !w.sole("new") {
			t.Error("want the new id to be pinned, and the old one not")
		}
		wait(66 * s)
		got := w.get("new")
		if got.Ticks != 2 {
			t.Errorf("%d ticks, want 2: the first has ended at the new id", got.Ticks)
		}
		if all, err := w.Schedules(t.Context(), "old"); len(all) != 0 || err != nil {
			t.Errorf("the old id has %v, %v", all, err)
		}
		if err := w.Rename(t.Context(), "new", "other"); !errors.Is(err, schedule.ErrExists) {
			t.Errorf("moving onto another: %v", err)
		}
		if err := w.Rename(t.Context(), "nobody", "x"); !errors.Is(err, schedule.ErrNotFound) {
			t.Errorf("moving nothing: %v", err)
		}
		wait(70 * s)
		if got := w.get("new"); got.Ticks != 3 {
			t.Errorf("%d ticks after a move that was refused, want 3", got.Ticks)
		}
	})
}

func TestAScheduleThatCannotBeOpenedYetIsDrivenOnceItCan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.create("a", loop(m))
		wait(s)
		must(t, w.Close(t.Context()))
		again := open(t, schedule.Options{Store: w.store, Local: w.agent})
		w.store.fail(errDisk)
		for _, session := range []string{"a", "without"} {
			if err := again.Open(t.Context(), session); !errors.Is(err, errDisk) {
				t.Errorf("opening without a store: %v", err)
			}
		}
		wait(10 * m)
		w.store.fail(nil)
		if yes, err := again.SoleEngine(t.Context(), "a"); !yes || err != nil {
			t.Errorf("SoleEngine = %v, %v once the store works", yes, err)
		}
		wait(10 * s)
		if n := w.agent.count(); n != 2 {
			t.Errorf("%d turns, want the one that was overdue", n)
		}
		if yes, err := again.SoleEngine(t.Context(), "without"); yes || err != nil {
			t.Errorf("SoleEngine of a session without schedules = %v, %v", yes, err)
		}
	})
}

func TestForgetAndRemove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.create("a", loop(m))
		wait(s)
		w.Forget("a")
		if w.sole("a") {
			t.Error("a forgotten session is pinned")
		}
		wait(time.Hour)
		if w.agent.count() != 1 {
			t.Errorf("%d turns of a forgotten session, want 1", w.agent.count())
		}
		must(t, w.Open(t.Context(), "a"))
		wait(s)
		must(t, w.Remove(t.Context(), "a"))
		wait(time.Hour)
		if all, _ := w.Schedules(t.Context(), "a"); len(all) != 0 || w.agent.count() != 2 {
			t.Errorf("%v and %d turns after Remove", all, w.agent.count())
		}
	})
}

func TestARoutedScheduleNeverPinsAlsoIfItsDriverIsHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outside, inside := &agent{}, &agent{}
		w := newWorld(t, schedule.Options{Local: inside, External: outside})
		routed := loop(m)
		routed.Route = "chat/42"
		w.create("a", routed)
		wait(s)
		if w.sole("a") || outside.count() != 1 || inside.count() != 0 {
			t.Errorf("pinned: %v; %d turns outside and %d inside", w.sole("a"), outside.count(), inside.count())
		}
	})
}

func TestTheEndOfAReplacedScheduleDoesNotTouchTheNewOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 10 * s
		w.create("a", loop(m))
		wait(5 * s)
		must(t, w.Stop(t.Context(), "a", schedule.Loop, "another one"))
		w.create("a", loop(2*m))
		wait(7 * s) // the old tick has ended, and that of the new one runs since
		if got := w.get("a"); got.Ticks != 1 || got.Every != 2*m || got.Claim == nil {
			t.Errorf("%+v, want one tick that runs", got)
		}
		wait(10 * m)
		if got := w.get("a"); got.Ticks != 5 {
			t.Errorf("%d ticks in ten minutes, want 5", got.Ticks)
		}
	})
}

func TestAResumeInTheMiddleOfATickBringsNoOtherEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, schedule.Options{})
		w.agent.takes = 10 * s
		w.create("a", loop(m))
		wait(5 * s)
		must(t, w.Pause(t.Context(), "a", schedule.Loop, "lunch"))
		must(t, w.Resume(t.Context(), "a", schedule.Loop))
		if got := w.get("a"); got.Next.Before(w.start.Add(m)) {
			t.Errorf("if its process died now, the next tick would come %v after this one", got.Next.Sub(w.start))
		}
	})
}

// movingStore moves the session just before the end of a tick is written.
type movingStore struct {
	*memory
	updates int
	move    func()
}

func (m *movingStore) Update(ctx context.Context, session string, change func(*schedule.Document) error) error {
	if session == "old" {
		m.updates++
	}
	if session == "old" && m.updates == 4 { // created, claimed, started
		m.move()
	}
	return m.memory.Update(ctx, session, change)
}

func TestATickThatEndsDuringAMoveIsWrittenThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &movingStore{memory: newMemory()}
		w := newWorld(t, schedule.Options{Store: store})
		w.store = store.memory
		w.agent.takes = 10 * s
		store.move = func() { must(t, w.Rename(t.Context(), "old", "new")) }
		w.create("old", loop(m))
		wait(20 * s)
		if got := w.get("new"); got.Ticks != 1 || got.Claim != nil {
			t.Errorf("%+v, want that its tick has ended", got)
		}
	})
}

// askingDriver asks in the middle of a claim whether its session is pinned.
type askingDriver struct {
	ask func() bool
	no  int
}

func (d *askingDriver) Begin(context.Context, schedule.Tick) (schedule.Turn, error) {
	if !d.ask() {
		d.no++
	}
	return nil, schedule.ErrBusy
}

func TestTheLastTickPinsItsSessionWhileItMayBeGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		driver := &askingDriver{}
		w := newWorld(t, schedule.Options{Local: driver})
		driver.ask = func() bool { return w.sole("a") }
		w.create("a", schedule.Spec{Kind: schedule.Loop, Every: m, Times: 1})
		wait(m)
		if driver.no != 0 || !w.sole("a") {
			t.Errorf("its session was free %d times while the tick was claimed", driver.no)
		}
	})
}
