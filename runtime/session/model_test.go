package session_test

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/holdfast-go/holdfast/runtime/schedule"
	"github.com/holdfast-go/holdfast/runtime/session"
)

// TestTheReapersAndTheSchedulesTogether drives a registry and a schedule engine
// that work as in a program with random events, and holds them to a reference
// model: what is remembered of each session here, and a few rules about it.
func TestTheReapersAndTheSchedulesTogether(t *testing.T) {
	checks := "2000"
	if os.Getenv("HOLDFAST_E2E") == "1" {
		checks = "100000"
	}
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := f.Value.Set(checks); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) {
			m := newModel(t)
			defer m.end()
			t.Repeat(m.actions())
		})
	})
}

var modelIDs = []string{"a", "b", "c", "d"}

const (
	every     = schedule.Floor // of the schedules
	turnTakes = 10 * time.Second
	ageSlack  = time.Second // one tick of a reaper that polls
)

// model is the reference: what was done, in the time of the bubble, in which the
// process runs always.
type model struct {
	t        *rapid.T
	clock    *sleepyClock
	journal  *journal
	store    *memory
	agent    *modelAgent
	registry *session.Registry
	engine   *schedule.Engine
	maxLive  int

	sessions map[string]*modelSession
	slept    time.Time // the last sleep of the machine
	noticed  time.Time // when the registry has noticed it
	failed   time.Time // since when the store fails; zero if it works
	works    time.Time // since when it works again: what could not be written is soon
	read     int       // of the journal
}

type modelSession struct {
	client     session.Client
	old        []session.Client // that have gone
	attached   bool
	since      time.Time // of the detachment, the restart or the last change of its schedules
	turn       *session.Turn
	turnEnded  time.Time
	release    func()
	released   time.Time
	latched    time.Time
	liveBefore bool // had a live sole-engine schedule when the last action ended
}

func newModel(t *rapid.T) *model {
	m := &model{
		t: t, clock: newSleepyClock(), journal: &journal{}, store: newMemory(),
		sessions: map[string]*modelSession{},
		maxLive:  rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "MaxLive"),
	}
	m.agent = &modelAgent{heeds: rapid.Bool().Draw(t, "turns heed interrupts"), clock: m.clock}
	m.boot()
	return m
}

// boot starts the process anew.
func (m *model) boot() {
	var err error
	m.registry, err = session.New(session.Options{
		TTL: session.Never, MaxLive: m.maxLive, Clock: m.clock, Logger: slog.New(m.journal),
		Schedules: lateBound{m},
		Interrupt: func(_ context.Context, id string) error { m.agent.interrupt(id); return nil },
		Hooks: []session.Hook{{Name: "forget", Run: func(_ context.Context, c session.Closing) error {
			m.engine.Forget(c.Session)
			return nil
		}}},
	})
	m.must(err)
	registry := m.registry
	m.engine, err = schedule.New(schedule.Options{
		Store: m.store.handle(), Clock: m.clock, Logger: slog.New(slog.DiscardHandler),
		Local: m.agent.on(registry), External: m.agent.on(registry), Changed: registry.Recheck,
	})
	m.must(err)
}

// lateBound is the engine, which is made after the registry that asks it.
type lateBound struct{ *model }

func (l lateBound) SoleEngine(ctx context.Context, id string) (bool, error) {
	return l.engine.SoleEngine(ctx, id)
}

func (m *model) must(err error) {
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) end() {
	m.store.kill()
	m.agent.killAll()
	_ = m.engine.Close(context.Background())
	_ = m.registry.Shutdown(context.Background())
}

func (m *model) pick(t *rapid.T) (string, *modelSession) {
	id := rapid.SampledFrom(modelIDs).Draw(t, "session")
	return id, m.sessions[id]
}

func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"connect": m.connect, "drop": m.drop, "late drop": m.lateDrop,
		"begin turn": m.beginTurn, "turn is active": m.active, "end turn": m.endTurn, "stop turn": m.stopTurn,
		"hold": m.hold, "release": m.release,
		"create schedule": m.create, "pause schedule": m.pause, "resume schedule": m.resume,
		"store fails": m.storeFails, "store works": m.storeWorks,
		"seconds pass":   func(t *rapid.T) { m.pass(rapid.IntRange(1, 40).Draw(t, "seconds"), time.Second) },
		"minutes pass":   func(t *rapid.T) { m.pass(rapid.IntRange(1, 20).Draw(t, "minutes"), time.Minute) },
		"machine sleeps": m.sleep,
		"restart":        m.restart,
		"":               m.check,
	}
}

func (m *model) connect(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil {
		m.must(m.registry.Add(id))
		s = &modelSession{since: time.Now()}
		m.sessions[id] = s
		// As a program does: the schedules of the session go on with it.
		if err := m.engine.Open(context.Background(), id); err != nil && m.failed.IsZero() {
			t.Fatal(err)
		}
	}
	client, err := m.registry.Connect(id)
	if !s.latched.IsZero() {
		if code(err) != session.Interrupted {
			t.Fatalf("connecting to interrupted session %s: %v, want 4009", id, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("connecting to %s: %v", id, err)
	}
	if s.attached {
		s.old = append(s.old, s.client)
	}
	s.client, s.attached = client, true
}

func (m *model) drop(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil || !s.attached {
		t.Skip("no client")
	}
	if !s.client.Drop() {
		t.Fatalf("the client of %s is not its client", id)
	}
	s.old = append(s.old, s.client)
	s.attached, s.since = false, time.Now()
}

func (m *model) lateDrop(t *rapid.T) {
	_, s := m.pick(t)
	if s == nil || len(s.old) == 0 {
		t.Skip("no old client")
	}
	old := rapid.SampledFrom(s.old).Draw(t, "client")
	if old.Touch() || old.Drop() {
		t.Fatal("an old client was taken for the newest")
	}
}

func (m *model) beginTurn(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil {
		t.Skip("no session")
	}
	turn, err := m.registry.BeginTurn(id)
	switch {
	case !s.latched.IsZero():
		if code(err) != session.Interrupted {
			t.Fatalf("a turn of interrupted session %s: %v, want 4009", id, err)
		}
	case s.turn != nil || m.agent.runs(id):
		if !errors.Is(err, session.ErrBusy) {
			t.Fatalf("a second turn of %s: %v", id, err)
		}
	case err != nil:
		t.Fatalf("a turn of %s: %v", id, err)
	default:
		s.turn = &turn
	}
}

func (m *model) active(t *rapid.T) {
	_, s := m.pick(t)
	if s == nil || s.turn == nil {
		t.Skip("no turn")
	}
	s.turn.Active()
}

func (m *model) endTurn(t *rapid.T) {
	_, s := m.pick(t)
	if s == nil || s.turn == nil {
		t.Skip("no turn")
	}
	s.turn.End()
	s.turn, s.turnEnded = nil, time.Now()
}

func (m *model) stopTurn(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil {
		t.Skip("no session")
	}
	_, err := m.registry.Interrupt(id, "stop")
	if (err != nil) != !s.latched.IsZero() {
		t.Fatalf("stopping the turn of %s: %v", id, err)
	}
}

func (m *model) hold(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil || s.release != nil || !s.latched.IsZero() {
		t.Skip("not to be held")
	}
	release, err := m.registry.Hold(id, session.Delegation)
	m.must(err)
	s.release = release
}

func (m *model) release(t *rapid.T) {
	_, s := m.pick(t)
	if s == nil || s.release == nil {
		t.Skip("not held")
	}
	s.release()
	s.release, s.released = nil, time.Now()
}

func (m *model) create(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil || !m.failed.IsZero() {
		t.Skip("no session or no store")
	}
	spec := schedule.Spec{Kind: schedule.Loop, Every: every}
	if rapid.Bool().Draw(t, "routed") {
		spec.Route = "chat/1"
	}
	spec.Times = rapid.IntRange(0, 4).Draw(t, "times")
	if d, _ := m.store.document(id); d.Schedules[schedule.Loop] == nil || d.Schedules[schedule.Loop].Status == schedule.Done {
		m.agent.renew(id)
	}
	_, err := m.engine.Create(context.Background(), id, spec)
	if err != nil && !errors.Is(err, schedule.ErrExists) {
		t.Fatal(err)
	}
}

func (m *model) pause(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil || !m.failed.IsZero() {
		t.Skip("no session or no store")
	}
	err := m.engine.Pause(context.Background(), id, schedule.Loop, "paused")
	if err != nil && !errors.Is(err, schedule.ErrNotFound) {
		t.Fatal(err)
	}
}

func (m *model) resume(t *rapid.T) {
	id, s := m.pick(t)
	if s == nil || !m.failed.IsZero() {
		t.Skip("no session or no store")
	}
	err := m.engine.Resume(context.Background(), id, schedule.Loop)
	if err != nil && !errors.Is(err, schedule.ErrNotFound) && !errors.Is(err, schedule.ErrNotPaused) {
		t.Fatal(err)
	}
	if err == nil && !m.agent.runs(id) {
		m.agent.resumed(id)
	}
}

func (m *model) storeFails(t *rapid.T) {
	if !m.failed.IsZero() {
		t.Skip("it fails already")
	}
	m.store.fail(errors.New("the disk is gone"))
	m.failed = time.Now()
}

func (m *model) storeWorks(t *rapid.T) {
	if m.failed.IsZero() {
		t.Skip("it works already")
	}
	m.store.fail(nil)
	m.failed, m.works = time.Time{}, time.Now()
}

func (m *model) pass(n int, unit time.Duration) {
	time.Sleep(time.Duration(n) * unit)
}

// sleep lets the clock go on while the process does not run.
func (m *model) sleep(t *rapid.T) {
	m.clock.sleep(time.Duration(rapid.IntRange(1, 600).Draw(t, "minutes")) * time.Minute)
	m.slept = time.Now()
}

// restart is a kill -9, and a new process that takes the sessions over.
func (m *model) restart(*rapid.T) {
	m.store.kill()
	m.agent.killAll()
	m.must(m.engine.Close(context.Background()))
	m.must(m.registry.Shutdown(context.Background()))
	synctest.Wait()
	m.observe() // what was decided up to the kill
	for _, id := range modelIDs {
		if d, _ := m.store.document(id); d.Schedules[schedule.Loop] != nil && d.Schedules[schedule.Loop].Claim != nil {
			m.agent.unwritten(id)
		}
	}
	m.boot()
	for id, s := range m.sessions {
		m.must(m.registry.Restore(id, 0))
		if err := m.engine.Open(context.Background(), id); err != nil && m.failed.IsZero() {
			m.t.Fatal(err)
		}
		m.sessions[id] = &modelSession{since: time.Now(), liveBefore: s.liveBefore}
	}
	m.slept = time.Time{} // nothing is late after a start
}
