package loopblock

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// decided returns what a condition is in every run of this build outside of
// tests, if it is always the same: a constant, such as runtime.GOOS == "windows",
// or whether this is a test.
func (d *describer) decided(cond ast.Expr) (value, known bool) {
	if v := d.info.Types[cond].Value; v != nil && v.Kind() == constant.Bool {
		return constant.BoolVal(v), true
	}
	switch cond := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if cond.Op == token.NOT {
			value, known = d.decided(cond.X)
			return !value, known
		}
	case *ast.BinaryExpr:
		x, xKnown := d.decided(cond.X)
		y, yKnown := d.decided(cond.Y)
		if cond.Op == token.LAND && (xKnown && !x || yKnown && !y) {
			return false, true
		}
		if cond.Op == token.LOR && (xKnown && x || yKnown && y) {
			return true, true
		}
	case *ast.CallExpr:
		return false, isFunc(d.static(cond), "testing", "Testing")
	}
	return false, false
}

// walkTaken visits the branch that an if statement always takes.
func (d *describer) walkTaken(n *ast.IfStmt, always bool) {
	if n.Init != nil {
		d.walk(n.Init)
	}
	d.walk(n.Cond)
	switch {
	case always:
		d.walk(n.Body)
	case n.Else != nil:
		d.walk(n.Else)
	}
}

// decidedSwitch returns the clause that a switch over a constant takes, such as
// one over runtime.GOOS, or nil for none.
func (d *describer) decidedSwitch(s *ast.SwitchStmt) (taken *ast.CaseClause, known bool) {
	if s.Tag == nil || d.info.Types[s.Tag].Value == nil {
		return nil, false
	}
	tag := d.info.Types[s.Tag].Value
	var other *ast.CaseClause
	for _, statement := range s.Body.List {
		clause := statement.(*ast.CaseClause)
		if fallsThrough(clause) {
			return nil, false
		}
		if clause.List == nil {
			other = clause
		}
		for _, expr := range clause.List {
			value := d.info.Types[expr].Value
			if value == nil {
				return nil, false
			}
			if taken == nil && constant.Compare(tag, token.EQL, value) {
				taken = clause
			}
		}
	}
	if taken == nil {
		taken = other
	}
	return taken, true
}

func fallsThrough(clause *ast.CaseClause) bool {
	if len(clause.Body) == 0 {
		return false
	}
	branch, ok := clause.Body[len(clause.Body)-1].(*ast.BranchStmt)
	return ok && branch.Tok == token.FALLTHROUGH
}

// walkClause visits the clause that a switch always takes.
func (d *describer) walkClause(s *ast.SwitchStmt, taken *ast.CaseClause) {
	if s.Init != nil {
		d.walk(s.Init)
	}
	if taken == nil {
		return
	}
	for _, statement := range taken.Body {
		d.walk(statement)
	}
}
