// Package roots is the table of what blocks, by the kind of thing that it
// waits for.
//
// The standard library is opaque: the table is the truth about it, and what is
// not listed does not block. Its own bodies would mislead, because hundreds of
// functions reach a system call that they never make in practice, and those
// that matter reach theirs through interfaces. Of other modules the table
// lists what their bodies cannot show: drivers behind database/sql, clients
// that hand the work to a goroutine of their own, generated API clients.
//
// Everything here is safe for concurrent use.
package roots

import (
	"go/types"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A Root says that a call blocks.
type Root struct {
	Kind   Kind
	Clause string // words for a message, such as "the first time"; usually empty
}

// Of returns the root that the origin (generic) function or method is,
// whatever it is given. Functions that [Conditional] knows are never one.
func Of(fn *types.Func) (Root, bool) {
	if root, ok := roots().Of(fn); ok {
		return root, root.Kind != ""
	}
	p, ok := patternOf(fn)
	if !ok || p.unless != nil {
		return Root{}, false
	}
	return Root{Kind: p.kind}, true
}

// NonBlocking reports whether the function is known not to block although its
// body or its interface's other implementations seem to.
func NonBlocking(fn *types.Func) bool {
	if _, ok := nonBlocking().Of(fn); ok {
		return true
	}
	return matchesAny(nonBlockingPatterns, fn)
}

// Mentions reports whether the tables list anything of the package that blocks.
func Mentions(path string) bool {
	path = symbols.Path(path)
	if roots().Has(path) || conditions().Has(path) {
		return true
	}
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.covers(path) })
}
