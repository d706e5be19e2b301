package detachedspawn

import (
	"go/ast"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/libs"
)

// call judges a call in every way in which one can detach a child.
func (w *walker) call(call *ast.CallExpr) {
	_, callee := w.callee(call)
	w.directCall(call, callee)
	w.release(call, callee)
	w.command(call, callee)
	w.commandThrough(call)
	w.library(call, callee)
	w.helperCall(call)
}

// library reports calls of third-party functions that are known to detach
// what they start, and knows that a command given to one detaches.
func (w *walker) library(call *ast.CallExpr, callee name) {
	entry, ok := libs.Lookup(callee.pkg, callee.receiver, callee.name)
	if !ok {
		return
	}
	o := w.reportSource(source{text: w.print(call.Fun), effect: entry.What}, call.Pos(), call.End())
	for _, arg := range call.Args {
		if isType(w.info.TypeOf(arg), execCmd) {
			w.mark(arg, o)
		}
	}
}

// helperCall reports the call of a function that makes a child detach, and
// carries what it does to its arguments on.
func (w *walker) helperCall(call *ast.CallExpr) {
	fact, o := w.calledFact(call)
	if fact == nil {
		return
	}
	if len(fact.Params) > 0 || len(fact.Results) > 0 {
		w.reportUse(call, call.Fun, o)
	}
	for _, i := range fact.Params {
		if arg := argument(call, i); arg != nil {
			w.mark(arg, o)
		}
	}
	for _, i := range fact.Flags {
		w.flagArgument(call, i, o)
	}
}

// argument returns the i-th argument of a call, the receiver for -1, or nil.
func argument(call *ast.CallExpr, i int) ast.Expr {
	if i == receiver {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	}
	if i < len(call.Args) {
		return call.Args[i]
	}
	return nil
}

// use reports the reading of a variable or field that holds detaching
// attributes, and the passing on of a function that detaches.
func (w *walker) use(id *ast.Ident) {
	obj := w.info.Uses[id]
	if obj == nil {
		return
	}
	if nameOf(obj) == releaseMethod {
		w.releaseValue(id)
		return
	}
	fact := w.fact(obj)
	if !fact.detaches() {
		return
	}
	expr, depth := w.whole(id)
	if !w.isRead(expr, depth) {
		return
	}
	switch {
	case fact.Holds, fact.function() && !fact.onlyFlags() && !w.isCalled(expr, depth):
		w.reportUse(expr, expr, &origin{hops: fact.Chain, effect: fact.Effect})
	}
}

// whole returns the expression that an identifier names: itself or the
// selector that it ends; and how many ancestors up that is.
func (w *walker) whole(id *ast.Ident) (ast.Expr, int) {
	if sel, ok := w.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		return sel, 1
	}
	return id, 0
}

func (w *walker) isCalled(expr ast.Expr, depth int) bool {
	call, ok := w.parent(depth + 1).(*ast.CallExpr)
	return ok && call.Fun == expr
}

// isRead reports whether the value itself is taken: not written, compared,
// named as a key, or looked into for another field.
func (w *walker) isRead(expr ast.Expr, depth int) bool {
	switch parent := w.parent(depth + 1).(type) {
	case *ast.AssignStmt:
		return !slices.Contains(parent.Lhs, expr)
	case *ast.BinaryExpr:
		return false
	case *ast.KeyValueExpr:
		return parent.Key != expr
	case *ast.SelectorExpr:
		return false
	case *ast.ValueSpec, *ast.Field:
		return !w.isDeclared(parent, expr)
	case *ast.UnaryExpr, *ast.StarExpr, *ast.ParenExpr:
		return w.isRead(parent.(ast.Expr), depth+1)
	}
	return true
}

func (w *walker) isDeclared(parent ast.Node, expr ast.Expr) bool {
	id, ok := expr.(*ast.Ident)
	if !ok {
		return false
	}
	switch parent := parent.(type) {
	case *ast.ValueSpec:
		return slices.Contains(parent.Names, id)
	case *ast.Field:
		return slices.Contains(parent.Names, id)
	}
	return false
}
