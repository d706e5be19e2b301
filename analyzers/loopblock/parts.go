package loopblock

import (
	"go/ast"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// partOf returns the method as it is called on one of a collection, if it is.
func (p *program) partOf(a abstract, call *ast.CallExpr) abstract {
	selector := selectorOf(call)
	if !a.part || selector == nil || !p.isElement(selector.X) {
		return a
	}
	a.limit = maxParts
	if a.name != "" {
		p.demand(a)
	}
	return a
}

// isElement reports whether an expression denotes one of a slice, array or map,
// or a part of it.
func (p *program) isElement(expr ast.Expr) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.IndexExpr:
		return true
	case *ast.SelectorExpr:
		return p.isElement(e.X)
	case *ast.TypeAssertExpr:
		return p.isElement(e.X)
	case *ast.Ident:
		obj := p.info.ObjectOf(e)
		single, _ := p.singles[obj].(*ast.IndexExpr)
		return p.ranged[obj] || single != nil
	}
	return false
}

// isPart reports whether a method speaks of a framework's types.
func isPart(fn *types.Func) bool {
	return speaksOfFramework(fn.Signature().Params()) || speaksOfFramework(fn.Signature().Results())
}

func speaksOfFramework(list *types.Tuple) bool {
	for v := range list.Variables() {
		named := symbols.Named(v.Type())
		if named != nil && named.Obj().Pkg() != nil && frameworks.Mentions(named.Obj().Pkg().Path()) {
			return true
		}
	}
	return false
}
