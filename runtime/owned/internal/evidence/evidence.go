// Package evidence judges which processes are orphans: started by an owner
// that is dead, and left over.
//
// It is a judge in the narrow sense. What it looks at is given to it, so that
// a test can give it anything, and "not proven" is a verdict of its own.
package evidence

import (
	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Process is a process with the marks that it carries.
type Process struct {
	procid.Info
	Command []string
	Environ []byte   // what /proc/PID/environ holds; nil if it is hidden
	Locks   uint64   // its soft limit on file locks; 0 if it is hidden
	Leaves  []string // the cgroups of owners that it is in
}

// A Kind is what a piece of evidence is.
type Kind string

// The kinds, strongest first. The last is none: a group's number may be
// another group's by now.
const (
	Identity Kind = "identity" // the owner noted this very process
	Cookie   Kind = "cookie"   // its environment holds the owner's cookie
	Cgroup   Kind = "cgroup"   // it is in the owner's cgroup
	Limit    Kind = "limit"    // its limit on file locks is the owner's number
	Parent   Kind = "parent"   // its parent is proven
	Group    Kind = "group"    // the owner noted its group, and somebody in it is proven
	Session  Kind = "session"  // the leader of its session is proven
	Number   Kind = "number"   // its group has a number that the owner noted
)

// weights are what the kinds add to a score.
var weights = map[Kind]int{Identity: 50, Cookie: 50, Cgroup: 50, Limit: 40, Parent: 20, Group: 20, Session: 20, Number: 5}

// Proves reports whether a piece of evidence of this kind is enough.
func (k Kind) Proves() bool { return k != Number }

// Weight is what a piece of evidence of this kind adds to a score.
func (k Kind) Weight() int { return weights[k] }

// An Item is one piece of evidence, with the words for a person.
type Item struct {
	Kind Kind
	Text string
}

// A Finding is a process that a dead owner may have left.
type Finding struct {
	Process  Process
	Owner    *ledger.OwnerRecord
	Entry    ledger.Entry // the row about the process, or zero
	Evidence []Item       // never empty, strongest first
}

// Proven reports whether the evidence is enough.
func (f Finding) Proven() bool {
	for _, item := range f.Evidence {
		if item.Kind.Proves() {
			return true
		}
	}
	return false
}

// Score is the sum of the weights.
func (f Finding) Score() int {
	sum := 0
	for _, item := range f.Evidence {
		sum += item.Kind.Weight()
	}
	return sum
}
