package detachedspawn

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// assignments are the values that a variable is given in the view.
type assignments struct {
	exprs  []ast.Expr      // in source order; append(x, …) included
	calls  []*ast.CallExpr // calls whose first of several results it is given
	opaque bool            // also given values that no expression here shows
}

// collectAssignments indexes the values of local and package-level variables.
// Fields are not tracked: any instance could have any value.
func collectAssignments(info *types.Info, files []*ast.File) map[types.Object]*assignments {
	c := &assignmentCollector{info, make(map[types.Object]*assignments)}
	for _, file := range files {
		ast.Inspect(file, c.visit)
	}
	return c.values
}

type assignmentCollector struct {
	info   *types.Info
	values map[types.Object]*assignments
}

func (c *assignmentCollector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		c.assign(n)
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if len(n.Values) == len(n.Names) {
				c.give(id, n.Values[i])
			} else if len(n.Values) > 0 {
				c.hide(id)
			}
		}
	case *ast.RangeStmt:
		c.hide(n.Key)
		c.hide(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.hide(n.X)
		}
	case *ast.IncDecStmt:
		c.hide(n.X)
	}
	return true
}

func (c *assignmentCollector) assign(n *ast.AssignStmt) {
	for i, lhs := range n.Lhs {
		switch {
		case len(n.Rhs) != len(n.Lhs):
			c.hide(lhs)
			if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && i == 0 {
				c.giveResult(lhs, call)
			}
		case n.Tok == token.ASSIGN || n.Tok == token.DEFINE || n.Tok == token.OR_ASSIGN:
			c.give(lhs, n.Rhs[i])
		default:
			c.hide(lhs)
		}
	}
}

func (c *assignmentCollector) entry(expr ast.Expr) *assignments {
	id, ok := expr.(*ast.Ident)
	if !ok {
		return nil
	}
	obj := c.info.Defs[id]
	if obj == nil {
		obj = c.info.Uses[id]
	}
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	entry := c.values[v]
	if entry == nil {
		entry = new(assignments)
		c.values[v] = entry
	}
	return entry
}

func (c *assignmentCollector) give(lhs, rhs ast.Expr) {
	if entry := c.entry(lhs); entry != nil {
		entry.exprs = append(entry.exprs, rhs)
	}
}

func (c *assignmentCollector) giveResult(lhs ast.Expr, call *ast.CallExpr) {
	if entry := c.entry(lhs); entry != nil {
		entry.calls = append(entry.calls, call)
	}
}

func (c *assignmentCollector) hide(lhs ast.Expr) {
	if entry := c.entry(lhs); entry != nil {
		entry.opaque = true
	}
}

// A truth is what is known of a value at build time.
type truth int

const (
	never truth = iota
	maybe
	always
)

// boolean evaluates a bool through constants and local variables.
func (v *view) boolean(expr ast.Expr) truth {
	if tv := v.info.Types[expr]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
		if constant.BoolVal(tv.Value) {
			return always
		}
		return never
	}
	id, ok := ast.Unparen(expr).(*ast.Ident)
	if !ok {
		return maybe
	}
	switch id.Name {
	case "true":
		return always
	case "false":
		return never
	}
	entry := v.local(id)
	if entry == nil || entry.opaque {
		return maybe
	}
	return remember(v.truths, v.object(id), func() truth { return v.anyTruth(entry.exprs) })
}

// anyTruth joins the values of a variable.
func (v *view) anyTruth(exprs []ast.Expr) truth {
	if len(exprs) == 0 {
		return never
	}
	result := v.boolean(exprs[0])
	for _, e := range exprs[1:] {
		if v.boolean(e) != result {
			return maybe
		}
	}
	return result
}

// local returns the assignments of a variable that is not a parameter.
func (v *view) local(id *ast.Ident) *assignments {
	obj := v.object(id)
	if obj == nil {
		return nil
	}
	if _, isParameter := v.parameters[obj]; isParameter {
		return nil
	}
	return v.values[obj]
}

// bitSet is a set of creation flags as far as it is known: the bits that
// constants certainly or possibly set, and whether more could be.
type bitSet struct {
	known uint64
	open  bool
}

func (b bitSet) or(other bitSet) bitSet {
	return bitSet{b.known | other.known, b.open || other.open}
}

// bits evaluates an unsigned flag set through constants, ORs and locals.
func (v *view) bits(expr ast.Expr) bitSet {
	if tv := v.info.Types[expr]; tv.Value != nil {
		if n, ok := constant.Uint64Val(constant.ToInt(tv.Value)); ok {
			return bitSet{known: n}
		}
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		left, right := v.bits(e.X), v.bits(e.Y)
		if e.Op == token.AND_NOT {
			return bitSet{left.known &^ right.known, left.open}
		}
		return left.or(right)
	case *ast.CallExpr:
		if tv := v.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return v.bits(e.Args[0])
		}
	case *ast.Ident:
		if entry := v.local(e); entry != nil {
			return v.variableBits(e, entry)
		}
	case *ast.SelectorExpr:
		if v.isOwnFlagField(e) {
			return bitSet{}
		}
	}
	return bitSet{open: true}
}

func (v *view) variableBits(id *ast.Ident, entry *assignments) bitSet {
	return remember(v.bitSets, v.object(id), func() bitSet {
		set := bitSet{open: entry.opaque}
		for _, value := range entry.exprs {
			set = set.or(v.bits(value))
		}
		return set
	})
}

// isOwnFlagField reports whether the selector reads the very field that is
// being extended, as in "attr.CreationFlags = attr.CreationFlags | x".
func (v *view) isOwnFlagField(e *ast.SelectorExpr) bool {
	field, ok := v.info.Uses[e.Sel].(*types.Var)
	return ok && field.IsField() && effects[field.Name()] != ""
}
