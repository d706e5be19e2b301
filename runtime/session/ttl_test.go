package session_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/session"
)

func TestTheTTLTakesWhatIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{Grace: session.Never})
		idle, attached := w.connect("idle"), w.connect("attached")
		busy := w.connect("busy")
		turn := w.turn("busy")
		wait(time.Hour)
		idle.Touch()
		idle.Drop()
		busy.Drop()
		wait(session.DefaultTTL - time.Second)
		w.expectAlive("idle")
		wait(time.Second)
		w.expectGone("idle")
		if e := w.closing(t, "idle"); e.reaper != "ttl" || e.code != 4007 {
			t.Errorf("closed with %+v", e)
		}
		wait(24 * time.Hour)
		w.expectAlive("busy")
		w.expectAlive("attached")
		turn.End()
		wait(session.DefaultTTL)
		w.expectGone("busy")
		attached.Drop()
	})
}

func TestWorkSparesFromTheTTLUntilItIsReleased(t *testing.T) {
	for kind := session.Delegation; kind <= session.Starting; kind++ {
		t.Run(kind.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, session.Options{Grace: session.Never})
				w.connect("a").Drop()
				release := w.hold("a", kind)
				wait(2 * session.DefaultTTL)
				w.expectAlive("a")
				release()
				synctest.Wait()
				w.expectGone("a")
			})
		})
	}
}

func TestARestoredSessionKeepsItsIdleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{Grace: session.Never})
		if err := w.Restore("a", session.DefaultTTL-time.Minute); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute - time.Second)
		w.expectAlive("a")
		wait(time.Second)
		w.expectGone("a")
	})
}

func TestTheCapEvictsWhoWasLeftTheLongestAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("d0002")
		w := newWorld(t, session.Options{Grace: session.Never, MaxLive: 6, Schedules: s})
		var clients []session.Client
		for _, id := range ids("d", 6) {
			clients = append(clients, w.connect(id))
		}
		for _, i := range []int{3, 2, 1, 0} { // d0003 is left first; 4 and 5 stay
			wait(time.Minute)
			clients[i].Drop()
		}
		release := w.hold("d0001", session.QueuedPrompt)
		w.connect("e")
		synctest.Wait()
		w.expectGone("d0003")
		w.connect("f") // d0002 is spared for its schedule, d0001 for its work
		synctest.Wait()
		w.expectGone("d0000")
		w.connect("g")
		wait(time.Hour)
		if w.Len() != 7 {
			t.Errorf("%d sessions, want 7: nobody can be evicted", w.Len())
		}
		release()
		synctest.Wait()
		w.expectGone("d0001")
		if e := w.closing(t, "d0001"); e.reaper != "cap" {
			t.Errorf("closed with %+v", e)
		}
		for _, id := range []string{"d0002", "d0004", "d0005", "e", "f", "g"} {
			w.expectAlive(id)
		}
	})
}

func TestTheCapLeavesANewSessionTheTimeForItsFirstClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{MaxLive: 1})
		w.connect("a")
		for _, err := range []error{w.Add("new"), w.Restore("restored", 0)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		w.expectAlive("new")
		w.expectGone("restored")
		wait(grace)
		w.expectGone("new")
	})
}

func TestASpareSessionCostsOneQuestionForEachScan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("a", "b")
		w := newWorld(t, session.Options{MaxLive: 1, Schedules: s})
		w.connect("a").Drop()
		w.connect("b").Drop()
		w.connect("c")
		wait(10 * time.Hour)
		w.expectAlive("a")
		most := int(10*time.Hour/session.DefaultScan) + 3
		if n := s.questions("a"); n > most {
			t.Errorf("%d questions in ten hours, want at most %d", n, most)
		}
		if n := len(w.of("a", "spared")); n > most {
			t.Errorf("%d decisions in ten hours, want at most %d", n, most)
		}
	})
}

func TestCloseEndsASessionInAnyState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, session.Options{})
		states := []string{"attached", "detached", "running", "interrupted"}
		for _, id := range states {
			w.connect(id)
		}
		client := w.connect("interrupted")
		w.turn("interrupted")
		client.Drop()
		wait(session.DefaultActivityStale)
		w.turn("running")
		w.connect("detached").Drop()
		for _, id := range states {
			if err := w.Close(id, "the user is done"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			w.expectGone(id)
			if err := w.Close(id, "again"); !errors.Is(err, session.ErrUnknown) {
				t.Errorf("%s: closed twice: %v", id, err)
			}
		}
		if w.Len() != 0 {
			t.Errorf("%d sessions are left", w.Len())
		}
		wait(time.Hour)
		if closed := w.of("detached", "closed"); len(closed) != 1 || closed[0].reaper != "caller" {
			t.Errorf("%+v", closed)
		}
	})
}

func TestExplainSaysWhoWouldTakeASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedules("pinned")
		w := newWorld(t, session.Options{Schedules: s})
		w.connect("attached")
		w.connect("orphan").Drop()
		w.connect("pinned").Drop()
		w.connect("delegating").Drop()
		w.hold("delegating", session.Delegation)
		now := time.Now()
		for _, test := range []struct {
			id, state, reason string
			reaper            session.Reaper
			due               time.Time
		}{
			{"attached", "attached", "a client is connected", session.NoReaper, time.Time{}},
			{"orphan", "detached", "its client has 20s to come back", session.Orphan, now.Add(grace)},
			{"pinned", "detached", "this process is the only engine of its schedule", session.NoReaper, time.Time{}},
			{"delegating", "detached", "it has work: delegation", session.NoReaper, time.Time{}},
		} {
			e, err := w.Explain(t.Context(), test.id)
			if err != nil {
				t.Fatal(err)
			}
			if e.State != test.state || e.Reaper != test.reaper || !e.Due.Equal(test.due) || !slices.Contains(e.Reasons, test.reason) {
				t.Errorf("%s: %v", test.id, e)
			}
		}
	})
}
