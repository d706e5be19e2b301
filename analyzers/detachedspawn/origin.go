package detachedspawn

import (
	"go/ast"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// origin returns why the value of an expression detaches, or nil.
func (w *walker) origin(expr ast.Expr) *origin {
	switch e := ast.Unparen(expr).(type) {
	case *ast.UnaryExpr:
		return w.origin(e.X)
	case *ast.StarExpr:
		return w.origin(e.X)
	case *ast.Ident:
		return w.objectOrigin(w.object(e))
	case *ast.SelectorExpr:
		return w.selectorOrigin(e)
	case *ast.CompositeLit:
		return w.literalOrigin(e)
	case *ast.FuncLit:
		if fact := w.literals[e]; fact.function() {
			return &origin{hops: fact.Chain, effect: fact.Effect, function: fact}
		}
	case *ast.CallExpr:
		return w.callOrigin(e)
	}
	return nil
}

func (w *walker) objectOrigin(obj types.Object) *origin {
	if obj == nil {
		return nil
	}
	if o := w.taints[obj]; o != nil {
		return o
	}
	fact := w.fact(obj)
	switch {
	case !fact.detaches():
		return nil
	case fact.Holds:
		v, ok := obj.(*types.Var)
		return &origin{hops: fact.Chain, effect: fact.Effect, field: ok && v.IsField()}
	case fact.function():
		return &origin{hops: fact.Chain, effect: fact.Effect, function: fact}
	}
	return nil
}

func (w *walker) selectorOrigin(e *ast.SelectorExpr) *origin {
	obj := w.info.Uses[e.Sel]
	if field, ok := obj.(*types.Var); ok && field.IsField() && isPlumbing(field) {
		return w.origin(e.X)
	}
	return w.objectOrigin(obj)
}

// literalOrigin handles attributes written on the spot and commands that are
// given detaching attributes.
func (w *walker) literalOrigin(lit *ast.CompositeLit) *origin {
	t := w.info.TypeOf(lit)
	if isType(t, sysProcAttr) {
		if source, ok := w.literalSource(lit); ok {
			return w.sourceOrigin(source)
		}
		return nil
	}
	if !isCarrier(t) {
		return nil
	}
	for _, element := range lit.Elts {
		kv, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if o := w.origin(kv.Value); o != nil && o.function == nil {
			return o
		}
	}
	return nil
}

// callOrigin handles conversions, the functions that hand their argument on,
// and helpers that return attributes.
func (w *walker) callOrigin(call *ast.CallExpr) *origin {
	if tv := w.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return w.origin(call.Args[0])
	}
	fact, o := w.calledFact(call)
	if fact == nil {
		return nil
	}
	for _, i := range fact.Results {
		if i == 0 {
			return &origin{hops: o.hops, effect: o.effect, function: w.resultFunction(call, fact)}
		}
	}
	return nil
}

// resultFunction returns what calling the call's result does, for a helper
// that returns a function, such as an option.
func (w *walker) resultFunction(call *ast.CallExpr, fact *Detaching) *Detaching {
	t := w.info.TypeOf(call)
	if t == nil || !isFunction(t) {
		return nil
	}
	return &Detaching{Params: []int{0}, Effect: fact.Effect, Chain: fact.Chain}
}

// calledFact returns the fact of what a call calls, and the origin that its
// results have in the caller.
func (w *walker) calledFact(call *ast.CallExpr) (*Detaching, *origin) {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		if fact := w.literals[lit]; fact.function() {
			return fact, &origin{hops: fact.Chain, effect: fact.Effect}
		}
		return nil, nil
	}
	obj, _ := w.callee(call)
	if obj == nil {
		return nil, nil
	}
	if fact := w.callableFact(obj); fact.function() {
		return fact, &origin{hops: fact.Chain, effect: fact.Effect}
	}
	if o := w.taints[obj]; o != nil && o.function != nil {
		return o.function, &origin{hops: o.hops, effect: o.effect}
	}
	return nil, nil
}

// callableFact returns the fact of a function, or of what implements it.
func (w *walker) callableFact(obj types.Object) *Detaching {
	if fn, ok := obj.(*types.Func); ok && symbols.IsAbstract(fn) {
		return w.implementation(fn)
	}
	return w.fact(obj)
}

// sourceOrigin returns the origin of a value that detaches where it is written.
func (w *walker) sourceOrigin(s source) *origin {
	return &origin{hops: []chain.Hop{chain.At(w.fset, s.pos, s.text)}, effect: s.effect}
}
