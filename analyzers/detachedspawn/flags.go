package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"
)

// decidedBy learns that the value of an expression decides whether a child
// detaches: a parameter, a package variable or a field of this package is then
// a flag, and whoever sets it is told.
func (w *walker) decidedBy(flag ast.Expr, o *origin) {
	w.decided(flag, o, make(map[types.Object]bool))
}

func (w *walker) decided(flag ast.Expr, o *origin, seen map[types.Object]bool) bool {
	if flag == nil {
		return false
	}
	switch e := ast.Unparen(flag).(type) {
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.OR && e.Op != token.LOR {
			return false
		}
		left, right := w.decided(e.X, o, seen), w.decided(e.Y, o, seen)
		return left || right
	case *ast.CallExpr:
		if tv := w.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return w.decided(e.Args[0], o, seen)
		}
	case *ast.Ident:
		return w.decidedByVariable(e, o, seen)
	case *ast.SelectorExpr:
		if v, ok := w.info.Uses[e.Sel].(*types.Var); ok && v.Pkg() == w.pkg && isFlag(v.Type()) {
			w.learn(v.Origin(), o, func(d *Detaching) bool { return set(&d.Decides) })
			return true
		}
	}
	return false
}

func (w *walker) decidedByVariable(id *ast.Ident, o *origin, seen map[types.Object]bool) bool {
	v, ok := w.object(id).(*types.Var)
	if !ok || !isFlag(v.Type()) || seen[v] {
		return false
	}
	seen[v] = true
	if p, ok := w.parameters[v]; ok {
		if p.index == receiver {
			return false
		}
		w.learnFunction(p.function, o, func(d *Detaching) bool { return add(&d.Flags, p.index) })
		return true
	}
	if v.Parent() == w.pkg.Scope() {
		w.learn(v, o, func(d *Detaching) bool { return set(&d.Decides) })
		return true
	}
	found := false
	if entry := w.values[v]; entry != nil {
		for _, value := range entry.exprs {
			found = w.decided(value, o, seen) || found
		}
	}
	return found
}

// isFlag reports whether a type is a bool or a set of creation flags.
func isFlag(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsInteger) != 0
}

// setFlag handles "options.Detach = value".
func (w *walker) setFlag(lhs, value ast.Expr) {
	id := lastIdent(lhs)
	if id == nil {
		return
	}
	if v, ok := w.object(id).(*types.Var); ok {
		w.setFlagObject(v, lhs, value)
	}
}

// setFlagObject reports that a variable or field which decides whether a child
// detaches is given a value that lets it.
func (w *walker) setFlagObject(v *types.Var, at ast.Node, value ast.Expr) {
	fact := w.fact(v)
	if fact == nil || !fact.Decides {
		return
	}
	o := &origin{hops: fact.Chain, effect: fact.Effect}
	w.flagValue(at, value, o)
}

// flagArgument reports a call that sets a parameter which decides.
func (w *walker) flagArgument(call *ast.CallExpr, i int, o *origin) {
	if arg := argument(call, i); arg != nil {
		w.flagValue(call, arg, o)
	}
}

// flagValue judges a value that is given to a flag: what lets the child detach
// is a use; what is itself a flag hands the question on.
func (w *walker) flagValue(at ast.Node, value ast.Expr, o *origin) {
	switch w.truthOf(value) {
	case always:
		w.reportUse(at, at, o)
	case maybe:
		if !w.decided(value, o, make(map[types.Object]bool)) {
			w.reportMaybe(at, o)
		}
	}
}

func (w *walker) truthOf(value ast.Expr) truth {
	t := w.info.TypeOf(value)
	if t == nil {
		return maybe
	}
	if basic, ok := t.Underlying().(*types.Basic); !ok || basic.Info()&types.IsInteger == 0 {
		return w.boolean(value)
	}
	set := w.bits(value)
	if names, _ := detachingBits(set.known); names != "" {
		return always
	}
	if set.open {
		return maybe
	}
	return never
}

// ifStmt learns that the condition of "if options.Detach { … }" decides, where
// the body does nothing but shape a command. A larger body would make every
// condition of the program a flag.
func (w *walker) ifStmt(n *ast.IfStmt) {
	if n.Else != nil {
		return
	}
	if o := w.shaping(n.Body); o != nil {
		w.decidedBy(n.Cond, o)
	}
}

// shaping returns why a block that only shapes a command makes it detach, or
// nil for any other block.
func (w *walker) shaping(body *ast.BlockStmt) *origin {
	var found *origin
	for _, stmt := range body.List {
		o, ok := w.shapingStatement(stmt)
		if !ok {
			return nil
		}
		if found == nil {
			found = o
		}
	}
	return found
}

// shapingStatement reports whether a statement only shapes a command, and why
// the command detaches after it, if it does.
func (w *walker) shapingStatement(stmt ast.Stmt) (*origin, bool) {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, false
		}
		return w.shapingAssignment(s.Lhs[0], s.Rhs[0])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return nil, false
		}
		fact, o := w.calledFact(call)
		return o, fact != nil && len(fact.Params) > 0
	case *ast.IfStmt:
		// The guard "if cmd.SysProcAttr == nil { … }".
		return w.shaping(s.Body), s.Else == nil && w.onlyShapes(s.Body)
	}
	return nil, false
}

func (w *walker) onlyShapes(body *ast.BlockStmt) bool {
	for _, stmt := range body.List {
		if _, ok := w.shapingStatement(stmt); !ok {
			return false
		}
	}
	return true
}

func (w *walker) shapingAssignment(lhs, rhs ast.Expr) (*origin, bool) {
	if field := w.attributeField(lhs); field != nil {
		s, ok := w.fieldSource(field.Name(), rhs)
		if !ok {
			return nil, true
		}
		s.pos = lhs.Pos()
		return w.sourceOrigin(s), true
	}
	if sel, ok := lhs.(*ast.SelectorExpr); ok && isCarrier(w.info.TypeOf(sel.X)) {
		return w.origin(rhs), true
	}
	if t := w.info.TypeOf(lhs); t != nil && isCarrier(t) {
		return w.origin(rhs), true
	}
	return nil, false
}
