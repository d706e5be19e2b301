package session_test

import (
	"context"
	"maps"
	"time"

	"testing/synctest"

	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/schedule"
	"github.com/holdfast-go/holdfast/runtime/session"
	"pgregory.net/rapid"
)

// The rules that hold after every action.
func (m *model) check(*rapid.T) {
	synctest.Wait()
	m.observe()
	if queued, detached := m.registry.Queued(); queued != detached {
		m.t.Fatalf("%d sessions without a client, and %d have a timer", detached, queued)
	}
	for id, s := range m.sessions {
		if !s.attached {
			m.checkNotImmortal(id, s)
		}
		m.checkTicks(id, s)
		s.liveBefore = m.failed.IsZero() && m.live(id)
	}
	m.agent.check(m.t)
	m.stepped = time.Now()
}

// observe reads what was decided since the last time, and judges it.
func (m *model) observe() {
	m.journal.mu.Lock()
	entries := m.journal.entries[m.read:]
	m.read = len(m.journal.entries)
	m.journal.mu.Unlock()
	for _, e := range entries {
		s := m.sessions[e.session]
		switch e.decision {
		case "interrupted":
			m.judgeInterrupt(e, s)
			s.latched = m.bubble(e.at)
		case "closed":
			m.judgeClosing(e, s)
			delete(m.sessions, e.session)
		case "repaired":
			m.t.Fatalf("session %s had lost its timer", e.session)
		}
	}
}

// bubble returns the time of the bubble at a time of the clock, as far as the
// last sleep is behind it.
func (m *model) bubble(at time.Time) time.Time {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	return at.Add(-m.clock.slept)
}

func (m *model) judgeInterrupt(e entry, s *modelSession) {
	switch {
	case s.attached:
		m.t.Fatalf("session %s has a client and was interrupted", e.session)
	case !s.latched.IsZero():
		m.t.Fatalf("session %s was interrupted twice", e.session)
	case s.liveBefore && m.failed.IsZero() && m.live(e.session):
		m.t.Fatalf("session %s has a live schedule and was interrupted", e.session)
	}
}

// judgeClosing: nobody is closed who has a client, a delegation or a live schedule
// that only this process runs; and no orphan before its grace is over.
func (m *model) judgeClosing(e entry, s *modelSession) {
	if s == nil {
		m.t.Fatalf("session %s was closed twice", e.session)
	}
	if s.attached {
		m.t.Fatalf("session %s has a client and was closed: %+v", e.session, e)
	}
	if !s.latched.IsZero() {
		return // there is no way back from there
	}
	if s.release != nil {
		m.t.Fatalf("session %s has a delegation and was closed: %+v", e.session, e)
	}
	if s.turn != nil {
		m.t.Fatalf("session %s has a turn and was closed without an interrupt: %+v", e.session, e)
	}
	if s.liveBefore && m.failed.IsZero() && m.live(e.session) {
		m.t.Fatalf("session %s has a live schedule and was closed: %+v", e.session, e)
	}
	since := m.aloneSince(e.session, s)
	if m.slept.After(since) {
		return // a sleep that ends before anything is due is not noticed
	}
	if alone := m.bubble(e.at).Sub(since); e.reaper == "orphan" && alone < grace {
		m.t.Fatalf("session %s was closed %v after its client had gone", e.session, alone)
	}
}

// aloneSince returns since when there is neither a client nor a turn.
func (m *model) aloneSince(id string, s *modelSession) time.Time {
	return latest(s.since, s.turnEnded, m.agent.ended(id))
}

func latest(times ...time.Time) time.Time {
	last := times[0]
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// checkNotImmortal: whoever is to be reaped is, in time.
func (m *model) checkNotImmortal(id string, s *modelSession) {
	now := time.Now()
	if !s.latched.IsZero() {
		since := latest(s.latched, m.slept)
		if now.Sub(since) > 62*time.Second+ageSlack {
			m.t.Fatalf("session %s was interrupted %v ago and lives", id, now.Sub(s.latched))
		}
		return
	}
	if s.release != nil || s.turn != nil || m.agent.runs(id) {
		return
	}
	allowed := grace + ageSlack
	switch {
	case !m.failed.IsZero(): // spared until the next scan, or until its tick has been written
		allowed += session.DefaultScan
	case m.live(id):
		return
	}
	since := latest(m.aloneSince(id, s), m.failed)
	if !m.slept.Before(since) { // the grace begins anew when the sleep is noticed
		since = m.slept
		allowed += grace
	}
	if alone := now.Sub(since); alone > allowed {
		m.t.Fatalf("session %s is alone for %v and lives", id, alone)
	}
}

// checkTicks: a live schedule whose session has time is not overdue.
func (m *model) checkTicks(id string, s *modelSession) {
	doc, ok := m.store.document(id)
	if !ok || !m.failed.IsZero() || s.turn != nil || !s.latched.IsZero() {
		m.agent.quiet(id, time.Time{})
		return
	}
	loop := doc.Schedules[schedule.Loop]
	if loop == nil || loop.Status != schedule.Active || loop.Claim != nil {
		m.agent.quiet(id, time.Time{})
		return
	}
	overdue := m.clock.Now().Sub(loop.Next)
	since := m.agent.quiet(id, time.Now())
	ran := time.Since(latest(since, m.slept))
	if overdue > 0 && ran > time.Minute+turnTakes {
		m.t.Fatalf("the schedule of %s is overdue by %v, and nothing was in its way for %v", id, overdue, ran)
	}
}

// live reports whether the session has a live schedule of which this process is
// the only engine, according to the store.
func (m *model) live(id string) bool {
	doc, ok := m.store.document(id)
	if !ok {
		return false
	}
	s := doc.Schedules[schedule.Loop]
	return s != nil && s.Status == schedule.Active && s.Route == "" && (s.Times == 0 || s.Ticks < s.Times)
}

// modelAgent runs ticks as turns of their sessions, and writes them down.
type modelAgent struct {
	journalOfTicks
	clock *sleepyClock
	heeds bool
}

// on returns the driver of a process.
func (a *modelAgent) on(registry *session.Registry) schedule.Driver {
	return modelDriver{a, registry}
}

type modelDriver struct {
	agent    *modelAgent
	registry *session.Registry
}

func (d modelDriver) Begin(_ context.Context, tick schedule.Tick) (schedule.Turn, error) {
	turn, err := d.registry.BeginTurn(tick.Session)
	if err != nil {
		return nil, schedule.ErrBusy
	}
	return &modelTurn{d.agent, tick, turn}, nil
}

type modelTurn struct {
	agent *modelAgent
	tick  schedule.Tick
	turn  session.Turn
}

func (t *modelTurn) Abandon() { t.turn.End() }

func (t *modelTurn) Run(ctx context.Context) (schedule.Answer, error) {
	run := t.agent.begin(t.tick, t.agent.clock.Now())
	timer := time.NewTimer(turnTakes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-run.stop:
	case <-ctx.Done():
	}
	t.agent.finish(run, t.agent.clock.Now())
	t.turn.End()
	return schedule.Answer{Text: "the same"}, ctx.Err()
}

func (a *modelAgent) interrupt(id string) {
	if a.heeds {
		a.kill(id)
	}
}

func newMemory() *memory {
	return &memory{saved: map[string]schedule.Document{}}
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// kill makes all handles void, and their owner a process of an earlier boot.
func (m *memory) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	for _, document := range m.saved {
		for _, s := range document.Schedules {
			if s.Claim != nil {
				s.Claim.Owner = procid.Identity{Boot: "an-earlier-boot", PID: 1, Start: 1}
			}
		}
	}
}

func (m *memory) revive() {}

func (m *memory) handle() schedule.Store {
	m.mu.Lock()
	defer m.mu.Unlock()
	return memoryHandle{m, m.epoch}
}

func (m *memory) document(id string) (schedule.Document, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	document, ok := m.saved[id]
	return clone(document), ok
}

type memoryHandle struct {
	*memory
	epoch int
}

func (h memoryHandle) alive() error {
	if h.epoch != h.memory.epoch {
		return errKilled
	}
	return h.err
}

func (h memoryHandle) Update(_ context.Context, id string, change func(*schedule.Document) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.alive(); err != nil {
		return err
	}
	document := clone(h.saved[id])
	document.Session = id
	if err := change(&document); err != nil {
		return err
	}
	h.saved[id] = clone(document)
	return nil
}

func (h memoryHandle) Read(_ context.Context, id string) (schedule.Document, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.alive(); err != nil {
		return schedule.Document{}, err
	}
	document, ok := h.saved[id]
	if !ok {
		return schedule.Document{}, schedule.ErrNotFound
	}
	return clone(document), nil
}

func (h memoryHandle) Sessions(context.Context) ([]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for id := range maps.Keys(h.saved) {
		all = append(all, id)
	}
	return all, h.alive()
}

func clone(d schedule.Document) schedule.Document {
	copied := d
	copied.Schedules = make(map[schedule.Kind]*schedule.Schedule)
	for kind, s := range d.Schedules {
		one := *s
		if s.Claim != nil {
			claim := *s.Claim
			one.Claim = &claim
		}
		copied.Schedules[kind] = &one
	}
	return copied
}
