package session_test

import (
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/holdfast-go/holdfast/runtime/schedule"
	"github.com/holdfast-go/holdfast/runtime/session"
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
		case "postponed":
			m.noticed = m.bubble(e.at)
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
		m.t.Fatalf("session %s has a live schedule and was interrupted: %+v", e.session, m.journal.about(e.session))
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
		m.t.Fatalf("session %s has a live schedule and was closed: %+v", e.session, m.journal.about(e.session))
	}
	since := m.aloneSince(e.session, s)
	if !m.slept.Before(since) {
		return // a sleep that ends before anything is due is not noticed
	}
	if alone := m.bubble(e.at).Sub(since); e.reaper == "orphan" && alone < grace {
		m.t.Fatalf("session %s was closed %v after its client had gone", e.session, alone)
	}
}

// aloneSince returns since when there is no client, turn or delegation.
func (m *model) aloneSince(id string, s *modelSession) time.Time {
	return latest(s.since, s.turnEnded, s.released, m.agent.ended(id))
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
		since := latest(s.latched, m.slept, m.noticed)
		if now.Sub(since) > 62*time.Second+ageSlack {
			m.t.Fatalf("session %s was interrupted %v ago and lives", id, now.Sub(s.latched))
		}
		return
	}
	if s.release != nil || s.turn != nil || m.agent.runs(id) {
		return
	}
	if !m.slept.IsZero() && now.Sub(m.slept) < session.DefaultScan+2*grace {
		return // a timer that was set before the sleep comes with the scan at the latest
	}
	allowed := grace + ageSlack
	switch {
	case !m.failed.IsZero(): // spared until the next scan, or until its tick has been written
		allowed += session.DefaultScan
	case m.live(id):
		return
	}
	since := latest(m.aloneSince(id, s), m.failed, m.works, m.noticed)
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
	return s != nil && s.Status == schedule.Active && s.Route == "" && (s.Times == 0 || s.Ticks < s.Times || s.Claim != nil)
}
