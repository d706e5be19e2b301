package session

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// An Explanation says why a session is alive and what will become of it, as
// things stand.
type Explanation struct {
	Session string
	// State is "attached", "detached", "interrupted" or "retired".
	State string
	// Reasons is what keeps the session alive now.
	Reasons []string
	// Reaper is who would take the session, if nothing happens, and Due when;
	// NoReaper and the zero time if nobody would. A Due that has passed is that of
	// a session that is spared, or taken this moment.
	Reaper Reaper
	Due    time.Time
}

// String returns the explanation as a sentence.
func (e Explanation) String() string {
	text := fmt.Sprintf("%s is %s", e.Session, e.State)
	if len(e.Reasons) > 0 {
		text += ": " + strings.Join(e.Reasons, "; ")
	}
	if e.Reaper == NoReaper {
		return text + "; no reaper would take it"
	}
	return text + fmt.Sprintf("; reaper %s would take it at %s", e.Reaper, e.Due.Format(time.RFC3339))
}

// Explain says why a session is alive, and which reaper would take it and when.
// It asks [Options.Schedules], and so waits until [Options.QuestionBound] or the
// end of ctx at most. The error is [ErrUnknown].
func (r *Registry) Explain(ctx context.Context, id string) (Explanation, error) {
	if err := ctx.Err(); err != nil {
		return Explanation{}, fmt.Errorf("explaining session %q: %w", id, err)
	}
	d := doubt{session: &record{id: id}}
	r.question.ask([]*doubt{&d})

	now := r.lock()
	defer r.unlock(now)
	s := r.sessions[id]
	if s == nil {
		return Explanation{}, fmt.Errorf("explaining session %q: %w", id, ErrUnknown)
	}
	e := Explanation{Session: id, State: s.state(), Reasons: r.reasons(s, now, d.answer)}
	if !s.retired && !s.attached {
		e.Reaper, e.Due = r.fate(s, now, d.answer.yes)
	}
	return e, nil
}

func (s *record) state() string {
	switch {
	case s.retired:
		return "retired"
	case s.latched:
		return "interrupted"
	case s.attached:
		return "attached"
	}
	return "detached"
}

func (r *Registry) reasons(s *record, now int64, schedule answer) []string {
	var reasons []string
	because := func(format string, args ...any) {
		reasons = append(reasons, fmt.Sprintf(format, args...))
	}
	if s.attached {
		because("a client is connected")
	}
	if s.running {
		because("a turn runs and was active %v ago", time.Duration(now-s.activity).Round(time.Second))
	}
	if s.held() {
		because("it has work: %s", s.heldFor())
	}
	if schedule.yes {
		because("this process is the only engine of its schedule")
	}
	if schedule.err != nil {
		because("(%v: counts as no schedule)", schedule.err)
	}
	if left := r.orphanDue(s); !s.attached && !s.running && !s.retired && left > now && left != never {
		because("its client has %v to come back", time.Duration(left-now).Round(time.Second))
	}
	return reasons
}

// fate returns which reaper takes the session first, and when.
func (r *Registry) fate(s *record, now int64, pinned bool) (Reaper, time.Time) {
	if s.latched {
		return Orphan, r.awake.wall(r.due(s, now))
	}
	if pinned {
		return NoReaper, time.Time{}
	}
	orphan, ttl := r.orphanDue(s), r.ttlDue(s)
	switch {
	case r.overCap() && s.mayBeEvicted():
		return Cap, r.awake.wall(now)
	case orphan == never && ttl == never:
		return NoReaper, time.Time{}
	case orphan <= ttl:
		return Orphan, r.awake.wall(orphan)
	}
	return TTL, r.awake.wall(ttl)
}
