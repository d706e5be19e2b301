package doctor

import (
	"cmp"
	"slices"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Report says what became of what ran before.
type Report struct {
	// Left is what ran before and should not run any more.
	Left []Leftover `json:"left"`
	// Ports is what became of the listening ports, in the order of the ports.
	Ports []PortChange `json:"ports"`
	// Started is what runs now and did not before.
	Started []machine.Process `json:"started"`
	// Ended is how many processes ran before and do not now.
	Ended int `json:"ended"`
	// Blind says what could not be seen.
	Blind []string `json:"blind,omitempty"`
}

// A Leftover is a process that a restart left behind.
type Leftover struct {
	machine.Process
	// Why says how one knows.
	Why string `json:"why"`
	// StartedBy has the processes above it before the restart, its parent
	// first, or the owner that the ledger names.
	StartedBy []string `json:"startedBy,omitempty"`
}

// A PortChange is a port that is or was listened on. Processes that were not to
// be seen are nil.
type PortChange struct {
	Port   machine.Port     `json:"port"`
	Before *machine.Process `json:"before,omitempty"`
	After  *machine.Process `json:"after,omitempty"`
	Change string           `json:"change"` // "held by what is left", "as before", "taken over", "closed" or "new"
}

// What can become of a port.
const (
	heldByLeft = "held by what is left"
	asBefore   = "as before"
	takenOver  = "taken over"
	closed     = "closed"
	isNew      = "new"
)

// Compare tells what is left behind. Neither self, which looks, nor what is
// below it is.
func Compare(before, after machine.Snapshot, orphans []owned.Orphan, self int) Report {
	c := comparison{before: byIdentity(before), after: byIdentity(after), pids: byPID(before), left: map[procid.Identity]Leftover{}}
	c.findAdopted(after, self)
	c.findOrphans(orphans)
	c.findBelow(after, self)
	report := Report{Left: []Leftover{}, Ports: c.ports(before, after), Started: []machine.Process{}, Blind: after.Blind}
	for _, p := range after.Processes {
		if leftover, ok := c.left[p.Identity]; ok {
			report.Left = append(report.Left, leftover)
		} else if _, ran := c.before[p.Identity]; !ran && p.PID != self {
			report.Started = append(report.Started, p)
		}
	}
	for id := range c.before {
		if _, runs := c.after[id]; !runs {
			report.Ended++
		}
	}
	return report
}

// A comparison is the work on two snapshots.
type comparison struct {
	before, after map[procid.Identity]machine.Process
	pids          map[int]machine.Process // before
	left          map[procid.Identity]Leftover
}

func byIdentity(s machine.Snapshot) map[procid.Identity]machine.Process {
	m := map[procid.Identity]machine.Process{}
	for _, p := range s.Processes {
		m[p.Identity] = p
	}
	return m
}

func byPID(s machine.Snapshot) map[int]machine.Process {
	m := map[int]machine.Process{}
	for _, p := range s.Processes {
		m[p.PID] = p
	}
	return m
}

// findAdopted finds who had another parent before: it has died since.
func (c *comparison) findAdopted(after machine.Snapshot, self int) {
	for _, p := range after.Processes {
		old, ran := c.before[p.Identity]
		if ran && p.PID != self && old.Parent != p.Parent {
			c.add(p, "it lost its parent")
		}
	}
}

// findOrphans finds who is a dead owner's by the ledger.
func (c *comparison) findOrphans(orphans []owned.Orphan) {
	for _, o := range orphans {
		p, runs := c.after[o.Process.Identity]
		_, ran := c.before[o.Process.Identity]
		if !runs || !ran || !o.Proven() {
			continue
		}
		c.add(p, o.Evidence[0].Text)
		leftover := c.left[p.Identity]
		if line := machine.CommandLine(o.OwnerCommand); line != "" && len(leftover.StartedBy) == 0 {
			leftover.StartedBy = []string{machine.Process{Info: procid.Info{Identity: o.Owner}, Command: o.OwnerCommand}.String() + " (dead)"}
			c.left[p.Identity] = leftover
		}
	}
}

// findBelow finds who ran before and has a parent that is left.
func (c *comparison) findBelow(after machine.Snapshot, self int) {
	parents := byPID(after)
	for changed := true; changed; {
		changed = false
		for _, p := range after.Processes {
			_, known := c.left[p.Identity]
			_, ran := c.before[p.Identity]
			parent := parents[p.Parent]
			if _, left := c.left[parent.Identity]; left && ran && !known && p.PID != self {
				c.add(p, "its parent is left")
				changed = true
			}
		}
	}
}

func (c *comparison) add(p machine.Process, why string) {
	if _, known := c.left[p.Identity]; !known {
		c.left[p.Identity] = Leftover{Process: p, Why: why, StartedBy: c.ancestors(p.Identity)}
	}
}

// maxAncestors is how far up it is of interest who started something.
const maxAncestors = 5

// ancestors returns who was above the process before, without PID 1.
func (c *comparison) ancestors(id procid.Identity) []string {
	var all []string
	for pid := c.before[id].Parent; pid > 1 && len(all) < maxAncestors; {
		parent, ran := c.pids[pid]
		if !ran {
			break
		}
		all = append(all, parent.String())
		pid = parent.Parent
	}
	return all
}

func (c *comparison) ports(before, after machine.Snapshot) []PortChange {
	changes := []PortChange{}
	old, now := holders(before), holders(after)
	for port, holder := range now {
		previous, held := old[port]
		change := PortChange{Port: port, Before: previous, After: holder, Change: takenOver}
		switch {
		case holder != nil && c.isLeft(holder):
			change.Change = heldByLeft
		case !held:
			change.Change = isNew
		case previous == nil && holder == nil, previous != nil && holder != nil && previous.Identity == holder.Identity:
			change.Change = asBefore
		}
		changes = append(changes, change)
	}
	for port, previous := range old {
		if _, held := now[port]; !held {
			changes = append(changes, PortChange{Port: port, Before: previous, Change: closed})
		}
	}
	slices.SortFunc(changes, func(x, y PortChange) int {
		return cmp.Or(cmp.Compare(x.Port.Port(), y.Port.Port()), x.Port.Compare(y.Port))
	})
	return changes
}

func (c *comparison) isLeft(p *machine.Process) bool {
	_, left := c.left[p.Identity]
	return left
}

// holders returns who listens on each port; nil is somebody who is hidden. Of
// several processes that share a socket it is the first, which is the oldest
// as a rule.
func holders(s machine.Snapshot) map[machine.Port]*machine.Process {
	all := map[machine.Port]*machine.Process{}
	for _, port := range s.Hidden {
		all[port] = nil
	}
	for i := range s.Processes {
		for _, port := range s.Processes[i].Listening {
			if all[port] == nil {
				all[port] = &s.Processes[i]
			}
		}
	}
	return all
}
