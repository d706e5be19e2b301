package session_test

import (
	"context"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/holdfast-go/holdfast/runtime/schedule"
	"github.com/holdfast-go/holdfast/runtime/session"
)

// journalOfTicks is what the model knows of ticks: none is lost, doubled or
// bunched.
type journalOfTicks struct {
	mu       sync.Mutex
	sessions map[string]*sessionTicks
	problems []string
}

type sessionTicks struct {
	running *tickRun
	last    int       // the number of the last tick of this schedule
	began   time.Time // when it began, by the clock
	over    time.Time // when it ended, by the clock; zero if the next may come sooner
	ended   time.Time // when the last turn ended, in the bubble
	quiet   time.Time // since when nothing is in the way of the schedule
}

type tickRun struct {
	session string
	stop    chan struct{}
	stopped bool
	killed  bool // with its process
}

func (j *journalOfTicks) of(id string) *sessionTicks {
	if j.sessions == nil {
		j.sessions = map[string]*sessionTicks{}
	}
	if j.sessions[id] == nil {
		j.sessions[id] = &sessionTicks{}
	}
	return j.sessions[id]
}

func (j *journalOfTicks) begin(tick schedule.Tick, now time.Time) *tickRun {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.of(tick.Session)
	switch {
	case s.running != nil:
		j.problems = append(j.problems, "two ticks of a session at once")
	case tick.Number != s.last+1:
		j.problems = append(j.problems, "a tick was lost or doubled")
	case !s.over.IsZero() && now.Sub(s.over) < every:
		j.problems = append(j.problems, "two ticks are bunched: "+now.Sub(s.over).String()+" apart")
	}
	s.last, s.began = tick.Number, now
	s.running = &tickRun{session: tick.Session, stop: make(chan struct{})}
	return s.running
}

func (j *journalOfTicks) finish(run *tickRun, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.of(run.session)
	s.running, s.over, s.ended = nil, now, time.Now()
	if run.killed { // its end was not written, and the next counts from its claim
		s.over = s.began
	}
}

// unwritten says that the end of the last tick was not written before a kill: the
// next one counts from its claim.
func (j *journalOfTicks) unwritten(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.of(id).over = j.of(id).began
}

// renew says that the session has a new schedule.
func (j *journalOfTicks) renew(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.of(id)
	s.last, s.over = 0, time.Time{}
	if s.running != nil { // of the one before
		s.over = time.Time{}
	}
}

// resumed says that the next tick may come before its interval.
func (j *journalOfTicks) resumed(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.of(id).over = time.Time{}
}

func (j *journalOfTicks) runs(id string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.of(id).running != nil
}

func (j *journalOfTicks) ended(id string) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.of(id).ended
}

// kill ends the turn that runs, if there is one.
func (j *journalOfTicks) kill(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if run := j.of(id).running; run != nil && !run.stopped {
		run.stopped = true
		close(run.stop)
	}
}

func (j *journalOfTicks) killAll() {
	for _, id := range modelIDs {
		j.mu.Lock()
		if run := j.of(id).running; run != nil {
			run.killed = true
		}
		j.mu.Unlock()
		j.kill(id)
	}
}

// quiet keeps since when nothing is in the way of a schedule. A zero time says that
// something is.
func (j *journalOfTicks) quiet(id string, now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.of(id)
	if now.IsZero() || s.quiet.IsZero() {
		s.quiet = now
	}
	return s.quiet
}

func (j *journalOfTicks) check(t *rapid.T) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, problem := range j.problems {
		t.Fatal(problem)
	}
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
