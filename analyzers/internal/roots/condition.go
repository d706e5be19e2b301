package roots

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A Condition says what decides whether a call blocks. The zero Condition is
// that of a function whose calls need no look at what they are given.
type Condition struct {
	root  Root // what the call is if it blocks
	test  test
	arg   int      // the argument looked at; receiver for the method's receiver
	words []string // names or texts that the test looks for
}

const receiver = -1

// A test is one way to look at an argument.
type test int

const (
	none            test = iota
	unlessFlag           // not if a flag of these names is set
	onlyConstant         // only if the value is a constant of these names
	onlyNil              // only if the value is nil
	unlessNil            // not if the value is nil
	unlessZero           // not if the value is the constant zero
	unlessText           // not if the value is one of these constant texts
	unlessAddress        // not if the value is a constant that needs no resolving
	onlyHost             // only if the value is a constant that needs resolving
	onlyBareName         // only if the value is a constant file name without a directory
	unlessType           // not if the value is of one of these types
	heldKind             // what the value's reads and writes wait for, else root
	heldByArguments      // the same, of whichever argument tells
	printedTo            // the same, but a line printed to a file is a log's
)

// Conditional returns what decides whether a call of the function blocks.
func Conditional(fn *types.Func) Condition {
	if c, ok := conditions().Of(fn); ok {
		return c
	}
	if p, ok := patternOf(fn); ok && p.unless != nil {
		return Condition{root: Root{Kind: p.kind}, test: unlessType, arg: receiver, words: p.unless}
	}
	return Condition{}
}

// IsZero reports whether the function has no condition.
func (c Condition) IsZero() bool { return c.test == none }

// Holds returns the root that the call is.
func (c Condition) Holds(info *types.Info, call *ast.CallExpr) (Root, bool) {
	return c.HoldsThrough(info, call, nil)
}

// HoldsThrough is Holds for a caller that knows what local variables hold:
// value returns the expression that an identifier was last set to, nil if it
// cannot tell. A call there may have several results.
func (c Condition) HoldsThrough(info *types.Info, call *ast.CallExpr, value func(*ast.Ident) ast.Expr) (Root, bool) {
	l := look{info: info, call: call, value: value}
	switch c.test {
	case none:
		return Root{}, false
	case heldKind, heldByArguments, printedTo:
		return c.held(l)
	}
	if arg := l.argument(c.arg); arg != nil && c.blocks(l, arg) {
		return c.root, true
	}
	return Root{}, false
}

// Assumed returns the root that a call is taken for whose arguments are not
// known, because the function is called through a variable.
func (c Condition) Assumed() (Root, bool) {
	switch c.test {
	case unlessFlag, unlessNil, unlessZero, unlessText, unlessAddress:
		return c.root, true
	}
	return Root{}, false
}

// held returns the root of what the call reads or writes.
func (c Condition) held(l look) (Root, bool) {
	args := []ast.Expr{l.argument(c.arg)}
	if c.test != heldKind {
		args = l.call.Args
	}
	for _, arg := range args {
		if kind, ok := l.kind(arg, maxSteps); ok {
			if kind == Disk && c.test == printedTo {
				kind = Stdio
			}
			return Root{Kind: kind}, true
		}
	}
	return c.root, c.root.Kind != ""
}

func (c Condition) blocks(l look, arg ast.Expr) bool {
	switch c.test {
	case unlessFlag:
		return !l.hasFlag(arg, c.words)
	case onlyConstant:
		return l.isConstant(arg, c.words)
	case onlyNil:
		return l.info.Types[arg].IsNil()
	case unlessNil:
		return !l.info.Types[arg].IsNil()
	case unlessZero:
		return !l.isZero(arg)
	case unlessText:
		return !l.isText(arg, func(s string) bool { return slices.Contains(c.words, s) })
	case unlessAddress:
		return !l.isText(arg, isResolved)
	case onlyHost:
		return l.isText(arg, func(s string) bool { return !isResolved(s) })
	case onlyBareName:
		return l.isText(arg, isBareName)
	case unlessType:
		return !l.isType(arg, c.words)
	}
	return false
}

var conditions = sync.OnceValue(func() *symbols.Table[Condition] {
	table := symbols.NewTable[Condition]()
	for _, list := range conditionLists {
		for path, names := range list.names {
			table.Add(path, names, list.condition)
		}
	}
	return table
})
