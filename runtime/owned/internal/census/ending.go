//go:build unix

package census

import (
	"syscall"
	"time"
)

// Withstand is how long processes may go on after KILL, and for three surveys
// at least, before an Ending gives up: they are another user's, or stuck in the
// kernel.
const Withstand = 2 * time.Second

// An Ending ends all processes of a claim: TERM and CONT first, KILL at the end
// of the grace. It asks each process or group once, since a second TERM means
// "do not even clean up" to many programs.
type Ending struct {
	Claim Claim
	// Grace is that of processes outside of the claim's groups.
	Grace time.Duration
	// GraceOf holds the graces of the claim's groups.
	GraceOf map[int]time.Duration
	// Now ends the grace of everything when it is closed. It may be nil.
	Now <-chan struct{}
	// Kill is called at the end of the longest grace and after it, as long as
	// something is alive. It may be nil.
	Kill func()

	began time.Time
	over  bool           // Now is closed
	asked map[int]uint64 // PID to start of what was sent TERM
	told  map[int]bool   // groups that were sent TERM
}

// Run returns what it could not end. It takes the longest grace and
// [Withstand] at most, and three surveys, which are slow only on a machine that
// is busy. It returns when two surveys in a row found nothing.
func (e *Ending) Run() ([]Process, error) {
	e.began, e.asked, e.told = time.Now(), map[int]uint64{}, map[int]bool{}
	survey := New(e.Claim)
	killAt, killed, kills := e.began.Add(e.longest()), time.Time{}, 0
	for pass, empty := 0, 0; ; pass++ {
		alive, err := survey.Alive()
		if err != nil {
			return nil, err
		}
		if len(alive) == 0 {
			if empty++; empty == 2 {
				return nil, nil
			}
			continue
		}
		empty = 0
		if kills >= 3 && time.Since(killed) > Withstand {
			return alive, nil
		}
		kill := !time.Now().Before(killAt)
		e.strike(alive)
		if kill {
			if kills++; kills == 1 {
				killed = time.Now()
			}
			if e.Kill != nil {
				e.Kill()
			}
		}
		if e.pause(pass, killAt) {
			killAt = time.Now()
		}
	}
}

func (e *Ending) longest() time.Duration {
	longest := e.Grace
	for _, grace := range e.GraceOf {
		longest = max(longest, grace)
	}
	return longest
}

// pause waits for the processes to act on their signals: 1 ms at first and
// 50 ms in the end, or until Now is closed, which it reports.
func (e *Ending) pause(pass int, killAt time.Time) (cutShort bool) {
	delay := min(time.Millisecond<<min(pass, 6), 50*time.Millisecond)
	if untilKill := time.Until(killAt); untilKill > 0 {
		delay = min(delay, untilKill)
	}
	now := e.Now
	if e.over {
		now = nil
	}
	select {
	case <-now:
		e.over = true
		return true
	case <-time.After(delay):
		return false
	}
}

func (e *Ending) strike(alive []Process) {
	struck := map[int]bool{}
	for _, process := range alive {
		_, owned := e.Claim.Groups[process.Group]
		switch {
		case !e.due(process, owned):
			e.ask(process, owned)
		case !owned:
			Signal(process, syscall.SIGKILL)
		case !struck[process.Group]:
			struck[process.Group] = SignalGroup(process, syscall.SIGKILL)
		}
	}
}

func (e *Ending) due(process Process, owned bool) bool {
	grace := e.Grace
	if owned {
		grace = e.GraceOf[process.Group]
	}
	return e.over || time.Since(e.began) >= grace
}

// ask sends CONT too: a stopped process acts on nothing before it.
func (e *Ending) ask(process Process, owned bool) {
	if e.asked[process.PID] == process.Start {
		return
	}
	e.asked[process.PID] = process.Start
	switch {
	case !owned:
		Signal(process, syscall.SIGTERM, syscall.SIGCONT)
	case !e.told[process.Group]:
		e.told[process.Group] = SignalGroup(process, syscall.SIGTERM, syscall.SIGCONT)
	}
}
