package detachedspawn

import (
	"fmt"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
)

// Receiver stands for the receiver in the parameter lists of a fact.
const receiver = -1

// A Detaching fact says how a function, variable or field of a package puts
// other packages' children out of reach. Every use of it is a finding.
type Detaching struct {
	Results []int // results that are, or carry, detaching attributes
	Params  []int // parameters that are made to detach; receiver is -1
	Flags   []int // parameters whose value decides whether a child detaches
	Holds   bool  // the variable or field holds detaching attributes
	Decides bool  // the variable or field is a flag that decides it

	// Commands are the command lines that the function makes from its
	// parameters. They detach or not by what a caller gives.
	Commands []Command

	Effect string // what happens to the child, as a clause: "starts the child in a session of its own"

	// Chain leads from here to the literal or call that detaches, which is
	// its last hop; the first hop is the fact's own object.
	Chain []chain.Hop
}

// AFact marks Detaching as a fact of the go/analysis framework.
func (*Detaching) AFact() {}

func (d *Detaching) String() string {
	if !d.detaches() {
		return fmt.Sprintf("commands(%v)", d.Commands)
	}
	return fmt.Sprintf("detaching(results=%v params=%v flags=%v holds=%t decides=%t: %s)",
		d.Results, d.Params, d.Flags, d.Holds, d.Decides, d.source().Name)
}

// source returns the hop of the literal or call that detaches.
func (d *Detaching) source() chain.Hop {
	return d.Chain[len(d.Chain)-1]
}

func (d *Detaching) empty() bool {
	return d == nil || !d.detaches() && len(d.Commands) == 0
}

// detaches reports whether the fact speaks of more than commands.
func (d *Detaching) detaches() bool {
	return d != nil && (len(d.Results) > 0 || len(d.Params) > 0 || len(d.Flags) > 0 || d.Holds || d.Decides)
}

// function reports whether a call is what the fact speaks of.
func (d *Detaching) function() bool {
	return d != nil && (len(d.Results) > 0 || len(d.Params) > 0 || len(d.Flags) > 0)
}

// add inserts index into a sorted set and reports whether it is new.
func add(set *[]int, index int) bool {
	at, found := slices.BinarySearch(*set, index)
	if found {
		return false
	}
	*set = slices.Insert(slices.Clone(*set), at, index)
	return true
}

// explain sets why the fact's object detaches, the first time that it does.
func (d *Detaching) explain(effect string, hops func() []chain.Hop) {
	if d.Effect == "" && effect != "" {
		d.Effect, d.Chain = effect, hops()
	}
}

// join returns what two views of one object know of it together. Both may know
// why it detaches; the choice is by source, so that every platform says the same.
func (d *Detaching) join(other *Detaching) *Detaching {
	if d == nil {
		return other
	}
	joined, added := *d, other
	if d.Effect == "" || other.Effect != "" && compareHops(other.source(), d.source()) < 0 {
		joined, added = *other, d
	}
	for _, i := range added.Results {
		add(&joined.Results, i)
	}
	for _, i := range added.Params {
		add(&joined.Params, i)
	}
	for _, i := range added.Flags {
		add(&joined.Flags, i)
	}
	joined.Holds = joined.Holds || added.Holds
	joined.Decides = joined.Decides || added.Decides
	for _, c := range added.Commands {
		joined.addCommand(c)
	}
	return &joined
}

// onlyFlags reports whether the fact speaks of flag parameters alone.
func (d *Detaching) onlyFlags() bool {
	return len(d.Results) == 0 && len(d.Params) == 0
}
