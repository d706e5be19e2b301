package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A walker goes through one file, statement by statement, and learns what each
// does to children. It is run until nothing new is learnt.
type walker struct {
	*view
	functions map[ast.Node]*function
	stack     []ast.Node // ancestors of the node being visited, outermost first
	current   *function  // nil at package level
}

func (w *walker) walk(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			w.leave()
			return true
		}
		w.enter(n)
		w.visit(n)
		return true
	})
}

func (w *walker) enter(n ast.Node) {
	if f := w.functions[n]; f != nil {
		w.current = f
	}
	w.stack = append(w.stack, n)
}

func (w *walker) leave() {
	last := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	if w.functions[last] == nil {
		return
	}
	w.nakedReturn(w.current)
	w.current = nil
	for i := len(w.stack) - 1; i >= 0 && w.current == nil; i-- {
		w.current = w.functions[w.stack[i]]
	}
}

func (w *walker) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		w.compositeLit(n)
	case *ast.AssignStmt:
		w.assignStmt(n)
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if len(n.Values) == len(n.Names) {
				w.flow(id, n.Values[i])
			}
		}
		if len(n.Values) == 1 && len(n.Names) > 1 {
			w.flowResults(identExprs(n.Names), n.Values[0])
		}
	case *ast.ReturnStmt:
		w.returnStmt(n)
	case *ast.CallExpr:
		w.call(n)
	case *ast.IfStmt:
		w.ifStmt(n)
	case *ast.Ident:
		w.use(n)
	}
}

func identExprs(ids []*ast.Ident) []ast.Expr {
	exprs := make([]ast.Expr, len(ids))
	for i, id := range ids {
		exprs[i] = id
	}
	return exprs
}

// statement returns the position of the innermost statement or specification
// around the node being visited: a marker may stand at it.
func (w *walker) statement() token.Pos {
	for _, n := range slices.Backward(w.stack) {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			continue
		case ast.Stmt, *ast.ValueSpec:
			return n.Pos()
		}
	}
	return token.NoPos
}

// parent returns the n-th ancestor of the node being visited; 1 is its parent.
func (w *walker) parent(n int) ast.Node {
	if i := len(w.stack) - 1 - n; i >= 0 {
		return w.stack[i]
	}
	return nil
}

func (w *walker) assignStmt(n *ast.AssignStmt) {
	if len(n.Rhs) == 1 && len(n.Lhs) > 1 {
		w.flowResults(n.Lhs, n.Rhs[0])
		return
	}
	for i, lhs := range n.Lhs {
		if field := w.attributeField(lhs); field != nil {
			w.setField(n, lhs.(*ast.SelectorExpr), field, n.Rhs[i])
			continue
		}
		w.setFlag(lhs, n.Rhs[i])
		w.flow(lhs, n.Rhs[i])
	}
}

// attributeField returns the detaching field of SysProcAttr that an
// expression selects, or nil.
func (w *walker) attributeField(expr ast.Expr) *types.Var {
	sel, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	field, ok := w.info.Uses[sel.Sel].(*types.Var)
	if !ok || !field.IsField() || field.Pkg() == nil || field.Pkg().Path() != "syscall" || effects[field.Name()] == "" {
		return nil
	}
	return field
}

// setField handles "attr.Setsid = value", however attr is reached.
func (w *walker) setField(n *ast.AssignStmt, lhs *ast.SelectorExpr, field *types.Var, value ast.Expr) {
	source, ok := w.fieldSource(field.Name(), value)
	if !ok {
		return
	}
	o := w.reportSource(source, n.Pos(), n.End())
	w.decidedBy(source.flag, o)
	w.mark(lhs.X, o)
}

// flow handles "lhs = rhs" for values that detach.
func (w *walker) flow(lhs, rhs ast.Expr) {
	if o := w.origin(rhs); o != nil {
		w.mark(lhs, o)
		return
	}
	if fact := w.commandsIn(rhs); fact != nil {
		w.handCommands(lhs, fact)
	}
}

// flowResults handles "a, b = f()".
func (w *walker) flowResults(lhs []ast.Expr, rhs ast.Expr) {
	results, o := w.detachingResults(rhs)
	for _, i := range results {
		if i < len(lhs) {
			w.mark(lhs[i], o)
		}
	}
}

// detachingResults returns which results of a call detach, and why; none for
// any other expression.
func (w *walker) detachingResults(expr ast.Expr) ([]int, *origin) {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fact, o := w.calledFact(call)
	if fact == nil {
		return nil, nil
	}
	return fact.Results, o
}

// mark notes that what an expression denotes now detaches.
func (w *walker) mark(expr ast.Expr, o *origin) {
	root, field := w.path(expr)
	switch root := root.(type) {
	case *types.Var:
		if p, ok := w.parameters[root]; ok && field == nil {
			w.markParameter(p, root, o)
			return
		}
		if field != nil {
			w.markField(root, field, o)
			return
		}
		w.markVariable(root, o)
	case nil:
		if field != nil {
			w.markField(nil, field, o)
		}
	}
}

func (w *walker) markVariable(obj *types.Var, o *origin) {
	if obj.Parent() == w.pkg.Scope() {
		if o.function != nil && isFunction(obj.Type()) {
			w.learnCallable(obj, o)
		} else if isAttributes(obj.Type()) {
			w.learn(obj, o, func(d *Detaching) bool { return set(&d.Holds) })
		}
	}
	w.taint(obj, o)
}

func (w *walker) taint(obj types.Object, o *origin) {
	if w.taints[obj] == nil {
		w.taints[obj] = o
		w.changed = true
	}
}

// markParameter notes that a function makes its argument detach.
func (w *walker) markParameter(p parameter, obj *types.Var, o *origin) {
	w.taint(obj, o)
	if o.field || !isReference(obj.Type()) || p.function.makesCommandOf(obj.Type()) {
		return
	}
	w.learnFunction(p.function, o, func(d *Detaching) bool { return add(&d.Params, p.index) })
}

// makesCommandOf reports whether the function makes or starts the command in a
// field of a struct itself: then callers have no part in how it lives.
func (f *function) makesCommandOf(t types.Type) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok || isCarrier(t) {
		return false
	}
	for field := range structure.Fields() {
		if isCarrier(field.Type()) && (f.created[field] || f.started[field]) {
			return true
		}
	}
	return false
}

// markField notes that a field holds attributes, or, for a command in a
// field of the receiver, that the method makes its receiver's command detach.
func (w *walker) markField(root, field *types.Var, o *origin) {
	switch {
	case o.function != nil && isFunction(field.Type()):
		w.learnCallable(field, o)
	case isAttributes(field.Type()):
		w.learn(field.Origin(), o, func(d *Detaching) bool { return set(&d.Holds) })
	case root != nil && isCarrier(field.Type()):
		p, ok := w.parameters[root]
		if ok && !p.function.makesCommandOf(root.Type()) && isReference(root.Type()) {
			w.learnFunction(p.function, o, func(d *Detaching) bool { return add(&d.Params, p.index) })
		}
	}
}

// learnCallable notes that a variable or field holds a function that detaches.
func (w *walker) learnCallable(obj *types.Var, o *origin) {
	w.learn(obj.Origin(), o, func(d *Detaching) bool {
		changed := false
		for _, i := range o.function.Params {
			changed = add(&d.Params, i) || changed
		}
		for _, i := range o.function.Results {
			changed = add(&d.Results, i) || changed
		}
		return changed
	})
}

func set(b *bool) bool {
	was := *b
	*b = true
	return !was
}

// isReference reports whether writing through a value of t is seen by its owner.
func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// path splits an expression into the variable that it is rooted in and the
// last field on the way that does more than hand attributes on.
func (w *walker) path(expr ast.Expr) (root types.Object, field *types.Var) {
	for {
		switch e := ast.Unparen(expr).(type) {
		case *ast.Ident:
			return w.object(e), field
		case *ast.StarExpr:
			expr = e.X
		case *ast.UnaryExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.SelectorExpr:
			selected := w.info.Uses[e.Sel]
			v, ok := selected.(*types.Var)
			if !ok {
				return nil, field
			}
			if !v.IsField() {
				return v, field
			}
			if field == nil && !isPlumbing(v) {
				field = v
			}
			expr = e.X
		default:
			return nil, field
		}
	}
}

func (w *walker) returnStmt(n *ast.ReturnStmt) {
	if w.current == nil {
		return
	}
	for i, result := range n.Results {
		if o := w.origin(result); o != nil && !o.field {
			w.learnFunction(w.current, o, func(d *Detaching) bool { return add(&d.Results, i) })
		}
	}
	if len(n.Results) == 1 {
		w.forwardResults(n.Results[0])
		w.learnReturnedList(n.Results[0])
	}
}

// forwardResults handles "return f()" for an f with several results.
func (w *walker) forwardResults(result ast.Expr) {
	results, o := w.detachingResults(result)
	for _, i := range results {
		w.learnFunction(w.current, o, func(d *Detaching) bool { return add(&d.Results, i) })
	}
}

// nakedReturn handles named results that detach.
func (w *walker) nakedReturn(f *function) {
	for i, result := range f.results {
		if result == nil {
			continue
		}
		if o := w.taints[result]; o != nil && !o.field && isCarrier(result.Type()) {
			w.learnFunction(f, o, func(d *Detaching) bool { return add(&d.Results, i) })
		}
	}
}
