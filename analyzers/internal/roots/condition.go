package roots

import (
	"go/ast"
	"go/types"
)

// A Condition says what decides whether a call blocks. The zero Condition is
// that of a function whose calls need no look at what they are given.
type Condition struct {
	test  test
	args  []int
	root  Root
	words []string
}

type test int

const none test = iota

// Conditional returns what decides whether a call of the function blocks.
func Conditional(fn *types.Func) Condition { return Condition{} }

// IsZero reports whether the function has no condition.
func (c Condition) IsZero() bool { return c.test == none }

// Holds returns the root that the call is.
func (c Condition) Holds(info *types.Info, call *ast.CallExpr) (Root, bool) {
	return c.HoldsThrough(info, call, nil)
}

// HoldsThrough is Holds for a caller that knows what local variables hold:
// value returns the expression that an identifier was last set to, nil if it
// cannot tell.
func (c Condition) HoldsThrough(info *types.Info, call *ast.CallExpr, value func(*ast.Ident) ast.Expr) (Root, bool) {
	return Root{}, false
}
