package session_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/holdfast-go/holdfast/runtime/clock"
	"github.com/holdfast-go/holdfast/runtime/session"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// A journal is a log that tests read: the decisions about each session.
type journal struct {
	mu      sync.Mutex
	entries []entry
}

type entry struct {
	at                                time.Time
	level                             slog.Level
	session, decision, reason, reaper string
	code                              int64
}

func (j *journal) Enabled(context.Context, slog.Level) bool { return true }
func (j *journal) WithAttrs([]slog.Attr) slog.Handler       { return j }
func (j *journal) WithGroup(string) slog.Handler            { return j }

func (j *journal) Handle(_ context.Context, record slog.Record) error {
	e := entry{at: record.Time, level: record.Level}
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "session":
			e.session = a.Value.String()
		case "decision":
			e.decision = a.Value.String()
		case "reason":
			e.reason = a.Value.String()
		case "reaper":
			e.reaper = a.Value.String()
		case "code":
			e.code = a.Value.Int64()
		}
		return true
	})
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
	return nil
}

// of returns the entries of a session that tell the decision.
func (j *journal) of(id, decision string) []entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []entry
	for _, e := range j.entries {
		if e.session == id && e.decision == decision {
			found = append(found, e)
		}
	}
	return found
}

// about returns the last decisions about a session.
func (j *journal) about(id string) []entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []entry
	for _, e := range j.entries {
		if e.session == id {
			found = append(found, e)
		}
	}
	return found[max(0, len(found)-12):]
}

func (j *journal) closing(t *testing.T, id string) entry {
	t.Helper()
	closed := j.of(id, "closed")
	if len(closed) != 1 {
		t.Fatalf("session %s was closed %d times, want once", id, len(closed))
	}
	return closed[0]
}

// world is a registry and what it decided, in a bubble of synctest.
type world struct {
	*session.Registry
	t *testing.T
	*journal
}

func newWorld(t *testing.T, opts session.Options) *world {
	t.Helper()
	w := &world{t: t, journal: &journal{}}
	opts.Logger = slog.New(w.journal)
	r, err := session.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	w.Registry = r
	t.Cleanup(func() {
		if err := r.Shutdown(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) connect(id string) session.Client {
	w.t.Helper()
	if err := w.Add(id); err != nil && !errors.Is(err, session.ErrExists) {
		w.t.Fatal(err)
	}
	client, err := w.Connect(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return client
}

func (w *world) turn(id string) session.Turn {
	w.t.Helper()
	turn, err := w.BeginTurn(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return turn
}

func (w *world) hold(id string, kind session.HoldKind) func() {
	w.t.Helper()
	release, err := w.Hold(id, kind)
	if err != nil {
		w.t.Fatal(err)
	}
	return release
}

func (w *world) alive(id string) bool {
	e, err := w.Explain(context.Background(), id)
	return err == nil && e.State != "retired"
}

func (w *world) expectAlive(id string) {
	w.t.Helper()
	if !w.alive(id) {
		w.t.Fatalf("session %s is gone: %+v", id, w.of(id, "closed"))
	}
}

func (w *world) expectGone(id string) {
	w.t.Helper()
	e, err := w.Explain(context.Background(), id)
	if err == nil && e.State != "retired" {
		w.t.Fatalf("want session %s gone, but %v", id, e)
	}
}

func code(err error) session.Code {
	if refused, ok := errors.AsType[*session.RefusedError](err); ok {
		return refused.Code
	}
	return 0
}

// schedules answers from a map, or fails, or hangs.
type schedules struct {
	mu    sync.Mutex
	live  map[string]bool
	err   error
	hang  map[string]chan struct{}
	asked map[string]int
}

func newSchedules(live ...string) *schedules {
	s := &schedules{live: map[string]bool{}, hang: map[string]chan struct{}{}, asked: map[string]int{}}
	for _, id := range live {
		s.live[id] = true
	}
	return s
}

func (s *schedules) SoleEngine(_ context.Context, id string) (bool, error) {
	s.mu.Lock()
	s.asked[id]++
	live, err, hang := s.live[id], s.err, s.hang[id]
	s.mu.Unlock()
	if hang != nil {
		<-hang // does not even heed its context
	}
	return live, err
}

func (s *schedules) set(id string, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[id] = live
}

func (s *schedules) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *schedules) questions(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[id]
}

// sleepyClock is the clock of a machine that sleeps and whose clock goes on
// meanwhile: all timers come at once when it wakes.
type sleepyClock struct {
	clock.Clock
	mu    sync.Mutex
	slept time.Duration
}

func newSleepyClock() *sleepyClock {
	return &sleepyClock{Clock: clock.System()}
}

func (c *sleepyClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Clock.Now().Add(c.slept)
}

func (c *sleepyClock) sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept += d
}

func ids(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s%04d", prefix, i)
	}
	return all
}
