package evidence

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A proof is the work on one dead owner: first what speaks for a process by
// itself, then its kinship with those that are proven already, over and over.
// So no two processes prove each other.
type proof struct {
	*judge
	record   *ledger.OwnerRecord
	groups   map[int]bool   // the groups that the owner noted
	evidence map[int][]Item // of each proven process; zombies hold their group together
}

func (j *judge) leftBy(record *ledger.OwnerRecord) []Finding {
	p := proof{judge: j, record: record, groups: map[int]bool{}, evidence: map[int][]Item{}}
	for _, e := range record.Live {
		if e.Group > 1 && e.Event != ledger.EventKeep {
			p.groups[e.Group] = true
		}
	}
	p.addDirect()
	for added := p.addKinship(anybody); added; {
		added = p.addKinship(p.isDoubtful)
	}
	return p.findings()
}

func anybody(int) bool { return true }

func (p *proof) isProven(pid int) bool { return len(p.evidence[pid]) > 0 }

func (p *proof) isDoubtful(pid int) bool { return !p.isProven(pid) }

// addDirect enters who is in the ledger or carries a mark.
func (p *proof) addDirect() {
	for i := range p.processes {
		process := &p.processes[i]
		if p.spared[process.PID] {
			continue
		}
		if e, ok := p.noted(process); ok {
			p.add(process, Item{Identity, fmt.Sprintf("noted in the ledger at %s as %s", e.Time.Local().Format(time.DateTime), describe(e))})
		}
		p.add(process, process.markedBy(p.record)...)
	}
}

func (p *proof) add(process *Process, items ...Item) {
	if len(items) > 0 {
		p.evidence[process.PID] = append(p.evidence[process.PID], items...)
	}
}

// addKinship enters the kinship of the wanted processes with the proven ones,
// and reports whether there was any.
func (p *proof) addKinship(wanted func(pid int) bool) (added bool) {
	kinship := map[*Process][]Item{}
	for i := range p.processes {
		process := &p.processes[i]
		if p.spared[process.PID] || !wanted(process.PID) {
			continue
		}
		kinship[process] = p.kinship(process)
	}
	for process, items := range kinship {
		p.add(process, items...)
		added = added || len(items) > 0
	}
	return added
}

func (p *proof) kinship(process *Process) []Item {
	var items []Item
	if p.isProven(process.Parent) {
		items = append(items, Item{Parent, fmt.Sprintf("its parent %d is the owner's", process.Parent)})
	}
	if fellow := p.provenFellow(process); fellow != 0 {
		items = append(items, Item{Group, fmt.Sprintf("its group %d is in the ledger, and %d in it is the owner's", process.Group, fellow)})
	}
	if process.Session != process.PID && p.isProven(process.Session) {
		items = append(items, Item{Session, fmt.Sprintf("the leader %d of its session is the owner's", process.Session)})
	}
	return items
}

// findings returns the processes that can be ended, and those of which only
// the number of the group speaks against them.
func (p *proof) findings() []Finding {
	var findings []Finding
	for i := range p.processes {
		process := &p.processes[i]
		if p.spared[process.PID] || process.State != procid.Alive {
			continue
		}
		items := p.evidence[process.PID]
		if len(items) == 0 && p.groups[process.Group] {
			items = []Item{{Number, fmt.Sprintf("its group has the number %d of one in the ledger, which may be another by now", process.Group)}}
		}
		if len(items) == 0 {
			continue
		}
		slices.SortStableFunc(items, func(x, y Item) int { return cmp.Compare(y.Kind.Weight(), x.Kind.Weight()) })
		entry, _ := p.noted(process)
		findings = append(findings, Finding{Process: *process, Owner: p.record, Entry: entry, Evidence: items})
	}
	return findings
}

// provenFellow returns the PID of another proven process of the same group, if
// it is a group that the owner noted.
func (p *proof) provenFellow(process *Process) int {
	if !p.groups[process.Group] {
		return 0
	}
	for i := range p.processes {
		other := &p.processes[i]
		if other.Group == process.Group && other.PID != process.PID && p.isProven(other.PID) {
			return other.PID
		}
	}
	return 0
}

// noted returns the owner's row about the process.
func (p *proof) noted(process *Process) (ledger.Entry, bool) {
	for _, e := range p.record.Live {
		if e.Process == process.Identity {
			return e, true
		}
	}
	return ledger.Entry{}, false
}

func describe(e ledger.Entry) string {
	name := e.Name
	if name == "" && len(e.Command) > 0 {
		name = e.Command[0]
	}
	return cmp.Or(name, "a child without a name")
}

const (
	// shortestCookie keeps a damaged ledger from claiming every process:
	// cookies are 32 hexadecimal digits.
	shortestCookie = 16
	// smallestLocks is above every limit that a person would set.
	smallestLocks = 1 << 20
	unlimited     = ^uint64(0)
)

// markedBy returns the marks of the owner that the process carries.
func (process *Process) markedBy(record *ledger.OwnerRecord) []Item {
	var items []Item
	for _, m := range record.Marks {
		if len(m.Cookie) >= shortestCookie && bytes.Contains(process.Environ, []byte(m.Cookie)) {
			items = append(items, Item{Cookie, "its environment holds the owner's cookie " + m.Cookie})
		}
		if m.Locks >= smallestLocks && m.Locks != unlimited && process.Locks == m.Locks {
			items = append(items, Item{Limit, fmt.Sprintf("its limit on file locks is the owner's number %d", m.Locks)})
		}
		if m.Leaf != "" && slices.Contains(process.Leaves, m.Leaf) {
			items = append(items, Item{Cgroup, "it is in the owner's cgroup " + m.Leaf})
		}
	}
	return items
}

// isSupervisor tells by the script that is in every supervisor's environment.
func (process *Process) isSupervisor() bool {
	return bytes.Contains(process.Environ, []byte(census.SupervisorMark))
}
