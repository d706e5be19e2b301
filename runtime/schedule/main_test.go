package schedule_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		runChild(role)
		return
	}
	goleak.VerifyTestMain(m)
}

// memory is a store in memory that fails or hangs on demand.
type memory struct {
	mu      sync.Mutex
	saved   map[string][]byte
	err     error
	updates int
	// anonymous makes claims look as where processes have no identity.
	anonymous bool
	hang      map[string]chan struct{}
}

func newMemory() *memory {
	return &memory{saved: map[string][]byte{}, hang: map[string]chan struct{}{}}
}

func (m *memory) wait(session string) {
	m.mu.Lock()
	hang := m.hang[session]
	m.mu.Unlock()
	if hang != nil {
		<-hang
	}
}

func (m *memory) Update(_ context.Context, session string, change func(*schedule.Document) error) error {
	m.wait(session)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	document := schedule.Document{Session: session}
	if data, ok := m.saved[session]; ok {
		if err := json.Unmarshal(data, &document); err != nil {
			return err
		}
	}
	if document.Schedules == nil {
		document.Schedules = map[schedule.Kind]*schedule.Schedule{}
	}
	if err := change(&document); err != nil {
		return err
	}
	if m.anonymous {
		for _, s := range document.Schedules {
			if s.Claim != nil {
				s.Claim.Owner = procid.Identity{}
			}
		}
	}
	m.updates++
	if len(document.Schedules) == 0 && document.MovedTo == "" {
		delete(m.saved, session)
		return nil
	}
	data, err := json.Marshal(document)
	m.saved[session] = data
	return err
}

func (m *memory) Read(_ context.Context, session string) (schedule.Document, error) {
	m.wait(session)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return schedule.Document{}, m.err
	}
	data, ok := m.saved[session]
	if !ok {
		return schedule.Document{}, schedule.ErrNotFound
	}
	var document schedule.Document
	err := json.Unmarshal(data, &document)
	return document, err
}

func (m *memory) Sessions(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []string
	for session := range m.saved {
		all = append(all, session)
	}
	return all, m.err
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

func (m *memory) writes() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.updates
}

// agent is a driver that writes down its turns and answers what it is told to.
type agent struct {
	mu     sync.Mutex
	ticks  []turn
	takes  time.Duration
	answer func(schedule.Tick) (schedule.Answer, error)
	busy   bool
}

type turn struct {
	schedule.Tick
	at time.Time
}

func (a *agent) Begin(_ context.Context, tick schedule.Tick) (schedule.Turn, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return nil, schedule.ErrBusy
	}
	return agentTurn{a, tick}, nil
}

type agentTurn struct {
	agent *agent
	tick  schedule.Tick
}

func (t agentTurn) Abandon() {}

func (t agentTurn) Run(ctx context.Context) (schedule.Answer, error) {
	a := t.agent
	a.mu.Lock()
	a.ticks = append(a.ticks, turn{t.tick, time.Now()})
	answer, takes := a.answer, a.takes
	a.mu.Unlock()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return schedule.Answer{}, ctx.Err()
		}
	}
	if answer == nil {
		return schedule.Answer{Text: fmt.Sprint("answer ", t.tick.Number)}, nil
	}
	return answer(t.tick)
}

func (a *agent) setBusy(busy bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy = busy
}

func (a *agent) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.ticks)
}

// times returns how long after start each turn began.
func (a *agent) times(start time.Time) []time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []time.Duration
	for _, t := range a.ticks {
		all = append(all, t.at.Sub(start))
	}
	return all
}

var quiet = slog.New(slog.DiscardHandler)

type world struct {
	*schedule.Engine
	t     *testing.T
	store *memory
	agent *agent
	start time.Time
}

func newWorld(t *testing.T, opts schedule.Options) *world {
	t.Helper()
	w := &world{t: t, store: newMemory(), agent: &agent{}, start: time.Now()}
	if opts.Store == nil {
		opts.Store = w.store
	}
	if opts.Local == nil && opts.External == nil {
		opts.Local = w.agent
	}
	w.Engine = open(t, opts)
	return w
}

func open(t *testing.T, opts schedule.Options) *schedule.Engine {
	t.Helper()
	opts.Logger = quiet
	e, err := schedule.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

func (w *world) create(session string, spec schedule.Spec) schedule.Schedule {
	w.t.Helper()
	s, err := w.Create(w.t.Context(), session, spec)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) get(session string) schedule.Schedule {
	w.t.Helper()
	all, err := w.Schedules(w.t.Context(), session)
	if err != nil || len(all) == 0 {
		w.t.Fatalf("session %s has %d schedules, %v", session, len(all), err)
	}
	return all[0]
}

func (w *world) sole(session string) bool {
	w.t.Helper()
	yes, err := w.SoleEngine(w.t.Context(), session)
	if err != nil {
		w.t.Fatal(err)
	}
	return yes
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

var errDisk = errors.New("the disk is gone")

func loop(every time.Duration) schedule.Spec {
	return schedule.Spec{Kind: schedule.Loop, Every: every, Prompt: "look"}
}
