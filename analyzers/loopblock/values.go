package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// A value is a function that an expression may denote. One of its fields is set.
type value struct {
	node  *node       // a function of this package
	fn    *types.Func // a function of another package, or a method of an interface
	param *types.Var  // whatever is given for a parameter
	paths []Path      // a function without a name, of which this is known

	once  bool          // runs the first time only
	bound *ast.CallExpr // of a literal: the call of the function around it that returned it
}

// maxValues bounds how many functions one variable is taken to hold. Registries
// with more are cut short, in the order of the source.
const maxValues = 200

// static returns the function or method that a call names, or nil for a
// function value, conversion or builtin. Methods of interfaces are included,
// generic functions stand for all their instances.
func (p *program) static(call *ast.CallExpr) *types.Func {
	fn, ok := typeutil.Callee(p.info, call).(*types.Func)
	if !ok {
		return nil
	}
	return fn.Origin()
}

// values returns the functions that an expression may denote, as far as the
// package shows; for a slice, map or channel, those that it may hold.
func (p *program) values(expr ast.Expr) []value {
	switch e := ast.Unparen(expr).(type) {
	case *ast.FuncLit:
		if n := p.literals[e]; n != nil {
			return []value{{node: n}}
		}
	case *ast.Ident:
		return p.denoted(p.info.ObjectOf(e))
	case *ast.SelectorExpr:
		return p.denoted(p.info.ObjectOf(e.Sel))
	case *ast.IndexExpr:
		return p.values(e.X)
	case *ast.IndexListExpr:
		return p.values(e.X)
	case *ast.SliceExpr:
		return p.values(e.X)
	case *ast.StarExpr:
		return p.values(e.X)
	case *ast.TypeAssertExpr:
		return p.values(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return p.values(e.X)
		}
	case *ast.CompositeLit:
		return p.elements(e)
	case *ast.CallExpr:
		return p.returned(e, 0)
	}
	return nil
}

// denoted returns the functions that a name stands for.
func (p *program) denoted(obj types.Object) []value {
	switch obj := obj.(type) {
	case *types.Func:
		fn := obj.Origin()
		if n := p.declared[fn]; n != nil {
			return []value{{node: n}}
		}
		return []value{{fn: fn}}
	case *types.Var:
		return p.stored(obj.Origin())
	}
	return nil
}

// stored returns the functions that a variable or field may hold.
func (p *program) stored(obj *types.Var) []value {
	if !p.holdsFunctions(obj.Type()) {
		return nil
	}
	if known, ok := p.memo[obj]; ok {
		return known // possibly not complete, where variables are assigned in a circle
	}
	p.memo[obj] = nil
	var found []value
	if p.params[obj] != nil {
		found = append(found, value{param: obj})
	}
	for _, from := range p.sources[obj] {
		for _, v := range p.origin(from) {
			found = appendValue(found, v)
		}
		if len(found) >= maxValues {
			break
		}
	}
	if summary := p.known.variable(obj); summary != nil && len(summary.Paths) > 0 {
		found = append(found, value{paths: summary.Paths})
	}
	if paths := p.storedElsewhere(obj); len(paths) > 0 {
		found = append(found, value{paths: paths})
	}
	p.memo[obj] = found
	return found
}

// storedElsewhere returns what the functions wait for that other packages of this
// module store in an exported field.
func (p *program) storedElsewhere(field *types.Var) []Path {
	if !field.IsField() || !field.Exported() || field.Pkg() == nil || !p.isOurs(field.Pkg()) {
		return nil
	}
	owner := fieldOwner(field)
	if owner == nil {
		return nil
	}
	return p.known.stored(p.reachable(), p.known.module, foreignKey(field, owner))
}

func appendValue(list []value, v value) []value {
	for _, known := range list {
		if known.node == v.node && known.fn == v.fn && known.param == v.param && known.bound == v.bound && v.paths == nil {
			return list
		}
	}
	return append(list, v)
}

func (p *program) origin(from origin) []value {
	if call, ok := ast.Unparen(from.expr).(*ast.CallExpr); ok {
		return p.returned(call, from.result)
	}
	return p.values(from.expr)
}

func (p *program) elements(lit *ast.CompositeLit) []value {
	if !p.holdsFunctions(p.info.TypeOf(lit)) {
		return nil
	}
	var found []value
	for _, element := range lit.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		found = append(found, p.values(element)...)
	}
	return found
}

// returned returns the functions that a result of a call may be.
func (p *program) returned(call *ast.CallExpr, result int) []value {
	if p.info.Types[call.Fun].IsType() {
		if len(call.Args) == 1 {
			return p.values(call.Args[0])
		}
		return nil
	}
	if p.isBuiltin(call, "append") {
		var found []value
		for _, arg := range call.Args {
			found = append(found, p.values(arg)...)
		}
		return found
	}
	fn := p.static(call)
	switch {
	case fn == nil:
		return p.returnedByValues(call, result)
	case roots.Once(fn) && len(call.Args) > 0:
		found := slices.Clone(p.values(call.Args[0]))
		for i := range found {
			found[i].once = true
		}
		return found
	case p.declared[fn] != nil:
		return bind(p.returnedBy(p.declared[fn], result), call)
	}
	if summary := p.known.function(fn); summary != nil && result < len(summary.Results) && len(summary.Results[result]) > 0 {
		return []value{{paths: summary.Results[result]}}
	}
	return nil
}

// bind notes for literals among values which call returned them: what they
// capture is what that call gave.
func bind(values []value, call *ast.CallExpr) []value {
	bound := slices.Clone(values)
	for i := range bound {
		if bound[i].node != nil && bound[i].node.lit != nil && bound[i].bound == nil {
			bound[i].bound = call
		}
	}
	return bound
}

func (p *program) returnedByValues(call *ast.CallExpr, result int) []value {
	var found []value
	for _, v := range p.values(call.Fun) {
		if v.node != nil {
			found = append(found, p.returnedBy(v.node, result)...)
		}
	}
	return found
}

// returnedBy returns the functions that a function of this package returns. A
// parameter that it returns is known to its own callers only.
func (p *program) returnedBy(n *node, result int) []value {
	if result >= n.sig.Results().Len() {
		return nil
	}
	variable := n.sig.Results().At(result)
	if !p.holdsFunctions(variable.Type()) {
		return nil
	}
	if known, ok := p.memo[variable]; ok {
		return known
	}
	p.memo[variable] = nil
	var found []value
	for _, statement := range n.returns {
		switch {
		case result < len(statement.Results) && len(statement.Results) == n.sig.Results().Len():
			found = append(found, p.values(statement.Results[result])...)
		case len(statement.Results) == 1:
			found = append(found, p.origin(origin{statement.Results[0], result})...)
		case len(statement.Results) == 0:
			for _, from := range p.sources[variable] {
				found = append(found, p.origin(from)...)
			}
		}
	}
	p.memo[variable] = found
	return found
}

// expanded replaces parameters of the package's own functions by what the
// package's calls give for them. It is for values that left the function
// whose parameter they are, such as one that it kept in a field.
func (p *program) expanded(list []value, inside *node) []value {
	var found []value
	seen := make(map[*types.Var]bool)
	var visit func(list []value)
	visit = func(list []value) {
		for _, v := range list {
			if v.param == nil || inside.within(p.params[v.param].node) {
				found = append(found, v)
				continue
			}
			if seen[v.param] {
				continue
			}
			seen[v.param] = true
			for _, given := range p.given(v.param) {
				visit(p.values(given))
			}
		}
	}
	visit(list)
	return found
}

// within reports whether n is the function or a literal inside it.
func (n *node) within(function *node) bool {
	for ; n != nil; n = n.outer {
		if n == function {
			return true
		}
	}
	return false
}

// givenBy returns what a call gives for a parameter of the function that it
// calls; without a call, what all of the package's own calls give.
func (p *program) givenBy(call *ast.CallExpr, param *types.Var) []ast.Expr {
	at := p.params[param]
	if call != nil && at.node.obj != nil && p.static(call) == at.node.obj {
		return arguments(p.info, call, at.node.sig, at.index)
	}
	return p.given(param)
}

// given returns what the package's own calls give for a parameter.
func (p *program) given(param *types.Var) []ast.Expr {
	at := p.params[param]
	if at == nil || at.node.obj == nil {
		return nil
	}
	var list []ast.Expr
	for _, call := range p.callsites[at.node.obj] {
		list = append(list, arguments(p.info, call, at.node.sig, at.index)...)
	}
	return list
}

// arguments returns the expressions that a call gives for a parameter: several
// for the last of a variadic function.
func arguments(info *types.Info, call *ast.CallExpr, sig *types.Signature, index int) []ast.Expr {
	args := call.Args
	if selection, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := info.Selections[selection]; s != nil && s.Kind() == types.MethodExpr && len(args) > 0 {
			args = args[1:] // the receiver
		}
	}
	switch {
	case index >= len(args):
		return nil
	case sig.Variadic() && index == sig.Params().Len()-1:
		return args[index:]
	}
	return args[index : index+1]
}
