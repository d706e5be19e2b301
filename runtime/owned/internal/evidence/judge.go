package evidence

import (
	"cmp"
	"slices"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A judge holds what is known at one moment.
type judge struct {
	processes []Process
	byPID     map[int]*Process
	spared    map[int]bool // PIDs that are nobody's orphans
}

// Verdicts returns what dead owners may have left, those with the most evidence
// first. Nothing in it is a supervisor, self or an ancestor of self; a child or
// descendant of an owner that is not provably dead; a process that is meant to
// outlive its owner, or a descendant of one.
func Verdicts(processes []Process, records []ledger.OwnerRecord, self int) []Finding {
	j := &judge{processes: processes, byPID: map[int]*Process{}, spared: map[int]bool{}}
	for i := range processes {
		j.byPID[processes[i].PID] = &processes[i]
	}
	j.spareOurselves(self)
	for i := range records {
		j.spareKept(&records[i])
		if !records[i].Dead() {
			j.spareLiving(&records[i])
		}
	}
	best := map[int]Finding{}
	for i := range records {
		if !records[i].Dead() {
			continue
		}
		for _, f := range j.leftBy(&records[i]) {
			if known, ok := best[f.Process.PID]; !ok || f.Score() > known.Score() {
				best[f.Process.PID] = f
			}
		}
	}
	return sorted(best)
}

func sorted(best map[int]Finding) []Finding {
	var findings []Finding
	for _, f := range best {
		findings = append(findings, f)
	}
	slices.SortFunc(findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(y.Score(), x.Score()), cmp.Compare(x.Process.PID, y.Process.PID))
	})
	return findings
}

// spareOurselves spares who looks, who started it, and supervisors, which end
// by themselves after what they look after.
func (j *judge) spareOurselves(self int) {
	for pid := self; pid > 0 && !j.spared[pid]; {
		j.spared[pid] = true
		p := j.byPID[pid]
		if p == nil {
			break
		}
		pid = p.Parent
	}
	for i := range j.processes {
		if p := &j.processes[i]; p.PID <= 1 || p.isSupervisor() {
			j.spared[p.PID] = true
		}
	}
}

// spareKept spares what the owner meant to outlive it.
func (j *judge) spareKept(record *ledger.OwnerRecord) {
	var kept []int
	for _, e := range record.Live {
		if e.Event == ledger.EventKeep && j.is(e.Process) {
			kept = append(kept, e.Process.PID)
		}
	}
	j.spareDescendants(kept, func(p *Process) bool {
		return slices.Contains(kept, p.Group) || slices.Contains(kept, p.Session)
	})
}

// spareLiving spares whatever is or may be a living owner's: its descendants,
// what it noted, and what carries its marks. The owner itself may be another's
// orphan.
func (j *judge) spareLiving(record *ledger.OwnerRecord) {
	var theirs []int
	for i := range j.processes {
		p := &j.processes[i]
		switch {
		case p.Identity == record.Owner:
			theirs = append(theirs, j.childrenOf(p.PID)...)
		case len(p.markedBy(record)) > 0 || j.notedBy(p, record):
			theirs = append(theirs, p.PID)
		}
	}
	j.spareDescendants(theirs, func(*Process) bool { return false })
}

func (j *judge) notedBy(p *Process, record *ledger.OwnerRecord) bool {
	return slices.ContainsFunc(record.Live, func(e ledger.Entry) bool {
		return e.Process == p.Identity || e.Group != 0 && e.Group == p.Group
	})
}

func (j *judge) childrenOf(pid int) []int {
	var children []int
	for i := range j.processes {
		if j.processes[i].Parent == pid {
			children = append(children, j.processes[i].PID)
		}
	}
	return children
}

// spareDescendants spares the processes with the given PIDs, those for which
// also is true, and everything below them.
func (j *judge) spareDescendants(pids []int, also func(*Process) bool) {
	below := map[int]bool{}
	for _, pid := range pids {
		below[pid] = true
	}
	for changed := true; changed; {
		changed = false
		for i := range j.processes {
			p := &j.processes[i]
			if !below[p.PID] && (p.Parent > 1 && below[p.Parent] || also(p)) {
				below[p.PID] = true
				changed = true
			}
		}
	}
	for pid := range below {
		j.spared[pid] = true
	}
}

// is reports whether the process that has the number is the identified one.
func (j *judge) is(id procid.Identity) bool {
	p := j.byPID[id.PID]
	return p != nil && p.Identity == id
}
