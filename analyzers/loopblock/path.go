package loopblock

import (
	"cmp"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// A Path is one way from a function to blocking work: the shortest of its kind.
type Path struct {
	Kind roots.Kind
	Root string // what blocks, as a message names it: "os.WriteFile"
	Once bool   // taken the first time only, as what sync.Once.Do runs
	Loop string // of kind self: the loop that it waits for

	// Hops are the functions on the way, the path's own first. The place of a hop
	// is the line inside that function from which the way goes on.
	Hops []chain.Hop
}

// A reason is what the paths of one function are told apart by.
type reason struct {
	kind roots.Kind
	loop string
	once bool
}

func (p *Path) reason() reason { return reason{p.Kind, p.Loop, p.Once} }

func (r reason) compare(s reason) int {
	return cmp.Or(cmp.Compare(r.kind, s.kind), cmp.Compare(r.loop, s.loop), compareBool(r.once, s.once))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// A Role is what a function does with a parameter that is a function.
type Role uint8

// The roles of parameters.
const (
	Synchronous Role = iota + 1 // calls it before it returns
	OnLoop                      // hands it to an event loop
	OffLoop                     // runs it somewhere else
	Nonblocking                 // of an interface's method itself: it never blocks
)

// self is the index of a Param that is about the function, variable, field or
// type itself.
const self = -1

// A Param says what a function does with one of its function parameters, or
// with what is stored in a variable or field if Index is -1.
type Param struct {
	Index int
	Role  Role
	Once  bool        // Synchronous: the first time only
	Loop  Loop        // OnLoop: which
	Hops  []chain.Hop // Synchronous: the functions on the way, the parameter's own first
}

// A Loop is an event loop as far as its callbacks are concerned.
type Loop struct {
	Name  string       // as a message names it: "Bubble Tea's loop"
	Allow []roots.Kind // what its callbacks may wait for
}

func newLoop(l frameworks.Loop) Loop { return Loop{l.Name, l.Allow} }

func (l Loop) allows(kind roots.Kind) bool { return slices.Contains(l.Allow, kind) }

// A Summary is what callers need to know of one function, variable or field.
type Summary struct {
	Paths   []Path   // what calling it waits for, by reason
	Params  []Param  // by index, then role
	Results [][]Path // by index of a result that is a function: what calling that waits for
}

func (s *Summary) empty() bool {
	return len(s.Paths) == 0 && len(s.Params) == 0 && len(s.Results) == 0
}

// blocks reports whether calling it is known to wait for anything.
func (s *Summary) blocks() bool {
	return slices.ContainsFunc(s.Paths, func(p Path) bool { return p.Kind != "" })
}

// param returns what the function does with a parameter in a role, or nil.
func (s *Summary) param(index int, role Role) *Param {
	for i := range s.Params {
		if s.Params[i].Index == index && s.Params[i].Role == role {
			return &s.Params[i]
		}
	}
	return nil
}
