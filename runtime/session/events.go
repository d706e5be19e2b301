package session

import (
	"context"
	"log/slog"
	"strings"
	"time"
)

// An event is a decision that was made under the lock and is logged after it.
type event struct {
	time  time.Time
	level slog.Level
	attrs []slog.Attr
}

// Decided is the message of the log records that tell a decision.
const Decided = "session"

// note keeps a decision that leaves the session alive.
func (r *Registry) note(s *record, now int64, decision, reason string) {
	level := slog.LevelDebug
	if decision == "interrupted" || decision == "repaired" {
		level = slog.LevelWarn
	}
	if !r.wanted(level) {
		return
	}
	attrs := []slog.Attr{slog.String("session", s.id), slog.String("decision", decision)}
	if reason != "" {
		attrs = append(attrs, slog.String("reason", reason))
	}
	if due, queued := r.queue.Due(s); queued && due != never {
		attrs = append(attrs, slog.Duration("next", durationUntil(due, now)))
	}
	r.keep(level, attrs...)
}

func (r *Registry) noteClosed(s *record, now int64, closing Closing) {
	level := slog.LevelInfo
	if closing.Reason == forced {
		level = slog.LevelError
	}
	if !r.wanted(level) {
		return
	}
	r.keep(level,
		slog.String("session", s.id),
		slog.String("decision", "closed"),
		slog.String("reason", closing.Reason),
		slog.String("reaper", string(closing.Reaper)),
		slog.Int("code", int(closing.Code)),
		slog.Duration("idle", time.Duration(now-s.touched)))
}

func (r *Registry) noteError(s *record, decision, reason string, err error) {
	r.keep(slog.LevelWarn,
		slog.String("session", s.id),
		slog.String("decision", decision),
		slog.String("reason", reason),
		slog.Any("error", err))
}

func (r *Registry) noteSleep(slept time.Duration) {
	r.keep(slog.LevelInfo,
		slog.String("decision", "postponed"),
		slog.String("reason", "the process did not run"),
		slog.Duration("slept", slept))
}

func (r *Registry) wanted(level slog.Level) bool {
	return r.opts.Logger.Enabled(context.Background(), level)
}

func (r *Registry) keep(level slog.Level, attrs ...slog.Attr) {
	if r.wanted(level) {
		r.events = append(r.events, event{r.opts.Clock.Now(), level, attrs})
	}
}

// log writes events with the time at which they were decided. An error of the
// handler has nobody to be told to.
func (r *Registry) log(events []event) {
	for _, e := range events {
		record := slog.NewRecord(e.time, e.level, Decided, 0)
		record.AddAttrs(e.attrs...)
		_ = r.opts.Logger.Handler().Handle(context.Background(), record)
	}
}

func (r *Registry) logHook(hook Hook, closing Closing, err error) {
	r.opts.Logger.Warn("tearing a session down",
		"session", closing.Session, "hook", hook.Name, "error", err)
}

func (r *Registry) logInterrupt(id string, err error) {
	r.opts.Logger.Warn("interrupting a turn", "session", id, "error", err)
}

// heldFor names the kinds of work that hold the session.
func (s *record) heldFor() string {
	var names []string
	for kind, count := range s.holds {
		if count > 0 {
			names = append(names, HoldKind(kind).String())
		}
	}
	return strings.Join(names, ", ")
}
