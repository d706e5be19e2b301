package schedule

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Kind says what a schedule is for. A session has one of each kind at most.
type Kind string

const (
	// Loop repeats a prompt until it is done.
	Loop Kind = "loop"
	// Heartbeat wakes the session again and again, for ever.
	Heartbeat Kind = "heartbeat"
)

// A Status is where a schedule is in its life.
type Status string

const (
	// Active schedules have a next tick.
	Active Status = "active"
	// Paused schedules have none until they are resumed.
	Paused Status = "paused"
	// Done schedules have reached what they were for.
	Done Status = "done"
	// Stopped schedules were ended by somebody.
	Stopped Status = "stopped"
)

// DefaultBudget is how many ticks a loop has before it is paused. Resuming it
// gives it as many again.
const DefaultBudget = 100

// A Spec is what somebody wants to be scheduled.
type Spec struct {
	// Kind is Loop or Heartbeat.
	Kind Kind `json:"kind"`
	// Every is the time from the end of a tick to the next one. A loop without
	// one, and without Cron, paces itself: from SelfPacedFloor up to
	// SelfPacedCap, while its answers say the same.
	Every time.Duration `json:"every,omitempty"`
	// Cron is when ticks are due instead of Every. See Options.Calendar.
	Cron string `json:"cron,omitempty"`
	// Prompt is what the turn of a tick is given.
	Prompt string `json:"prompt,omitempty"`
	// Times is after how many ticks a loop is done; 0 is no limit.
	Times int `json:"times,omitempty"`
	// Until ends a loop whose answer has this text alone on a line. What needs
	// more judgement is up to the driver: see Answer.
	Until string `json:"until,omitempty"`
	// Route is where the turns of the schedule come from if it is not this
	// session's process: a platform and a chat, for instance. What it means is
	// up to the external driver.
	Route string `json:"route,omitempty"`
}

// A Schedule is a Spec and how far it has come.
type Schedule struct {
	Spec
	// ID stays the same when the schedule moves to another session.
	ID     string `json:"id"`
	Status Status `json:"status"`
	// Reason says why the status is what it is, if somebody may wonder.
	Reason string `json:"reason,omitempty"`
	// Ticks is how many ticks were taken. A tick that was given back is none.
	Ticks int `json:"ticks"`
	// BudgetFrom is how many they were when the budget began.
	BudgetFrom int `json:"budget_from,omitempty"`
	// Next is when the next tick is due, while the schedule is active.
	Next time.Time `json:"next"`
	// Pace is the interval of a loop that paces itself, and Digest what its
	// last answer said.
	Pace   time.Duration `json:"pace,omitempty"`
	Digest string        `json:"digest,omitempty"`
	// Claim is who has taken a tick that has not ended yet.
	Claim *ClaimRecord `json:"claim,omitempty"`
}

// A ClaimRecord says who has taken a tick.
type ClaimRecord struct {
	// Token is of this claim only.
	Token string `json:"token"`
	// Owner is the process, and a claim whose owner is gone is void.
	Owner procid.Identity `json:"owner"`
	// Driver is "local" or "external".
	Driver string    `json:"driver"`
	At     time.Time `json:"at"`
	// Started says that the turn has begun: whatever happens then, the tick
	// counts. A claim whose owner died before has run nothing.
	Started bool `json:"started,omitempty"`
}

// complete returns the spec with its intervals within their bounds.
func (s Spec) complete() (Spec, error) {
	switch {
	case s.Kind != Loop && s.Kind != Heartbeat:
		return s, fmt.Errorf("there is no kind %q", s.Kind)
	case s.Every < 0 || s.Every > longest:
		return s, fmt.Errorf("an interval of %v is not between %v and a year", s.Every, Floor)
	case s.Every != 0 && s.Cron != "":
		return s, errors.New("both an interval and a cron expression")
	case s.Times < 0:
		return s, fmt.Errorf("%d times", s.Times)
	}
	if s.Kind == Heartbeat {
		return s, s.checkHeartbeat()
	}
	if s.Every > 0 {
		s.Every = max(s.Every, Floor)
	}
	return s, nil
}

func (s Spec) checkHeartbeat() error {
	switch {
	case s.Times != 0 || s.Until != "":
		return errors.New("a heartbeat has no end: times and until are for loops")
	case s.Every == 0 && s.Cron == "":
		return errors.New("a heartbeat needs an interval")
	case s.Every > 0 && s.Every < HeartbeatFloor:
		return fmt.Errorf("an interval of %v is too short for a heartbeat: want at least %v", s.Every, HeartbeatFloor)
	}
	return nil
}

// selfPaced reports whether the schedule chooses its interval itself.
func (s *Schedule) selfPaced() bool {
	return s.Every == 0 && s.Cron == ""
}

// delay is the interval after which the next tick is due; for a calendar, the
// shortest that there may be.
func (s *Schedule) delay() time.Duration {
	switch {
	case s.selfPaced():
		return max(s.Pace, SelfPacedFloor)
	case s.Cron != "" && s.Kind == Heartbeat:
		return HeartbeatFloor
	case s.Cron != "":
		return Floor
	}
	return s.Every
}

// pace takes over what an answer says about how fast to go on.
func (s *Schedule) pace(answer string) {
	if !s.selfPaced() {
		return
	}
	says := digest(answer)
	switch {
	case s.Pace == 0, says != s.Digest:
		s.Pace = SelfPacedFloor
	default:
		s.Pace = min(2*s.Pace, SelfPacedCap)
	}
	s.Digest = says
}

// exhausted returns why there can be no tick any more, and the status that
// follows from it.
func (s *Schedule) exhausted(budget int) (Status, string) {
	switch {
	case s.Kind == Heartbeat:
		return Active, ""
	case s.Times > 0 && s.Ticks >= s.Times:
		return Done, fmt.Sprintf("it has run %d times", s.Ticks)
	case s.Ticks-s.BudgetFrom >= budget:
		return Paused, fmt.Sprintf("its budget of %d ticks is used up; resume it for as many again", budget)
	}
	return Active, ""
}

// live reports whether the schedule needs its engine: it has a next tick, or one
// that may still be given back.
func (s *Schedule) live(budget int) bool {
	if s.Status != Active {
		return false
	}
	status, _ := s.exhausted(budget)
	return status == Active || s.Claim != nil
}

// complete says that an answer ends a loop: this text alone on a line.
const complete = "LOOP_COMPLETE"

// saysDone reports whether the answer ends the schedule.
func (s *Schedule) saysDone(answer string) bool {
	if s.Kind != Loop {
		return false
	}
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if line == complete || s.Until != "" && line == s.Until {
			return true
		}
	}
	return false
}

// budgetOrDefault returns the budget that an option means.
func budgetOrDefault(budget int) int {
	switch {
	case budget == 0:
		return DefaultBudget
	case budget < 0:
		return math.MaxInt
	}
	return budget
}
