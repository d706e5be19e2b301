package roots

import (
	"go/ast"
	"go/constant"
	"go/types"
	"net/netip"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A look is at the arguments of one call.
type look struct {
	info  *types.Info
	call  *ast.CallExpr
	value func(*ast.Ident) ast.Expr // nil: nothing is known of variables
}

// argument returns the expression that the parameter, or the receiver, is
// given; nil if there is none to see.
func (l look) argument(param int) ast.Expr {
	fun, isSelector := ast.Unparen(l.call.Fun).(*ast.SelectorExpr)
	if isSelector {
		selection := l.info.Selections[fun]
		switch {
		case selection != nil && selection.Kind() == types.MethodExpr:
			param++ // the receiver is the first argument
		case selection != nil && param == receiver:
			return fun.X
		}
	}
	if param < 0 || param >= len(l.call.Args) {
		return nil
	}
	return l.call.Args[param]
}

// hasFlag reports whether one of the named flags is set in the expression: in
// its constant value, or, if it has none, by name.
func (l look) hasFlag(arg ast.Expr, names []string) bool {
	if v, ok := l.integer(arg); ok {
		return slices.ContainsFunc(names, func(name string) bool {
			flag, ok := l.constant(name)
			return ok && flag != 0 && v&flag == flag
		})
	}
	found := false
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains(names, id.Name) {
			found = true
		}
		return !found
	})
	return found
}

// isConstant reports whether the expression has the value of one of the named
// constants.
func (l look) isConstant(arg ast.Expr, names []string) bool {
	v, ok := l.integer(arg)
	return ok && slices.ContainsFunc(names, func(name string) bool {
		c, ok := l.constant(name)
		return ok && c == v
	})
}

func (l look) isZero(arg ast.Expr) bool {
	v, ok := l.integer(arg)
	return ok && v == 0
}

// isText reports whether the expression is a constant text that is right.
func (l look) isText(arg ast.Expr, right func(string) bool) bool {
	v := l.info.Types[arg].Value
	return v != nil && v.Kind() == constant.String && right(constant.StringVal(v))
}

// isType reports whether the expression's static type has one of the names.
func (l look) isType(arg ast.Expr, names []string) bool {
	named := symbols.Named(l.info.TypeOf(arg))
	return named != nil && slices.Contains(names, named.Obj().Name())
}

func (l look) integer(arg ast.Expr) (int64, bool) {
	v := l.info.Types[arg].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}

// constant returns the value of a constant of the called function's package.
func (l look) constant(name string) (int64, bool) {
	fn := l.callee(l.call)
	if fn == nil || fn.Pkg() == nil {
		return 0, false
	}
	c, ok := fn.Pkg().Scope().Lookup(name).(*types.Const)
	if !ok || c.Val().Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Val())
}

// callee returns the function that is called by name, nil if none is.
func (l look) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := l.info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// isResolved reports whether an address names no host that must be looked up.
// Every system has localhost in a file.
func isResolved(address string) bool {
	host := address
	if i := strings.LastIndexByte(address, ':'); i >= 0 && (strings.Count(address, ":") == 1 || address[i-1] == ']') {
		host = address[:i]
	}
	host = strings.Trim(host, "[]")
	if host == "" || host == "localhost" || strings.Trim(host, "0123456789") == "" {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// isBareName reports whether a program's name is looked for in PATH.
func isBareName(name string) bool {
	return name != "" && !strings.ContainsAny(name, `/\`)
}
