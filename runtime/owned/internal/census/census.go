// Package census finds, among all processes of the machine, the ones that an
// owner can prove to be its own. It is the Go side of what the supervisor's
// shell script does at the owner's death.
package census

import (
	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
)

// A Process is what is known of a process at the moment of a survey.
type Process = procfs.Stat

// A Member is one process of a group: its number and the start time that goes
// with it, in the unit of procid.Identity.
type Member struct {
	PID   int
	Start uint64
}

// A Claim is the evidence by which an owner knows its descendants. Each part
// may be missing.
type Claim struct {
	Groups map[int]Member // owned process groups, each with a member that proves it
	Cookie string         // found in the environment of descendants
	Locks  uint64         // their soft limit on file locks (RLIMIT_LOCKS)
	Leaf   string         // directory of the cgroup they were born in
	Root   int            // a process whose every descendant is the owner's, unless it was kept
}

// A Survey repeats the census for one claim. What was proven once stays proven
// as long as the same process has the number, even when its evidence is gone:
// its parent dead, its environment overwritten. A Survey is for one goroutine.
type Survey struct {
	claim Claim
	known map[int]uint64 // PID to start of what was proven
}

// New returns a survey that has not looked yet.
func New(claim Claim) *Survey {
	return &Survey{claim: claim, known: map[int]uint64{}}
}

// Alive returns the processes that are proven to be the owner's and are not
// dead. It reads a few files of every process of the machine: about 10 µs for
// each. The calling process and its supervisors are never among them.
func (s *Survey) Alive() ([]Process, error) {
	all, err := processes()
	if err != nil {
		return nil, err
	}
	p := proof{survey: s, evidence: collect(s.claim, all), ours: map[int]bool{}, now: map[int]uint64{}}
	for _, process := range all {
		p.now[process.PID] = process.Start
	}
	var alive []Process
	for doubtful := all; ; {
		proven, rest := p.split(doubtful)
		if len(proven) == 0 {
			return alive, nil
		}
		for _, process := range proven {
			if !process.Dead() {
				alive = append(alive, process)
			}
		}
		doubtful = rest
	}
}

// A proof is the work of one survey: each proven process may prove others.
type proof struct {
	survey   *Survey
	evidence evidence
	ours     map[int]bool   // owned groups and sessions that a member has proven
	now      map[int]uint64 // PID to start of everything there is
}

func (p *proof) split(doubtful []Process) (proven, rest []Process) {
	for _, process := range doubtful {
		switch {
		case p.evidence.spared(process):
		case p.proves(process):
			p.note(process)
			proven = append(proven, process)
		default:
			rest = append(rest, process)
		}
	}
	return proven, rest
}

func (p *proof) proves(process Process) bool {
	known := p.survey.known
	if start, ok := known[process.PID]; ok && start == process.Start {
		return true
	}
	member, owned := p.survey.claim.Groups[process.Group]
	if owned && member == (Member{process.PID, process.Start}) {
		return true
	}
	if p.ours[process.Group] || p.ours[process.Session] || p.evidence.marked[process.PID] {
		return true
	}
	if root := p.survey.claim.Root; root != 0 && process.Parent == root && !p.evidence.kept[process.PID] {
		return true
	}
	start, ok := known[process.Parent]
	return ok && process.Parent > 1 && start == p.now[process.Parent]
}

func (p *proof) note(process Process) {
	p.survey.known[process.PID] = process.Start
	for _, id := range []int{process.Group, process.Session} {
		if _, owned := p.survey.claim.Groups[id]; owned {
			p.ours[id] = true
		}
	}
}
