package loopblock

import (
	"go/ast"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// callbacks adds the functions that are given to a function that puts them on a
// loop.
func (c *collector) callbacks() {
	for _, n := range c.nodes {
		for _, s := range n.steps {
			if s.call != nil {
				c.callback(s)
			}
		}
	}
}

func (c *collector) callback(s *step) {
	sig := s.signature()
	for i := range sig.Params().Len() {
		loop, ok := c.paramLoop(s, i)
		if !ok {
			continue
		}
		for _, arg := range arguments(c.info, s.call, sig, i) {
			c.register(arg, loop, "the function given to "+calledName(s))
			if iface, ok := sig.Params().At(i).Type().Underlying().(*types.Interface); ok {
				c.registerMethods(arg, iface, loop)
			}
		}
	}
}

// paramLoop returns the loop on which a call puts its argument.
func (c *collector) paramLoop(s *step, param int) (Loop, bool) {
	if named, ok := types.Unalias(s.signature().Params().At(param).Type()).(*types.Named); ok {
		if loop, ok := c.typeLoop(named.Obj()); ok {
			return loop, true
		}
	}
	if s.fn == nil {
		return Loop{}, false
	}
	if loop, ok := frameworks.Callback(s.fn, param); ok {
		return newLoop(loop), c.holds(loop)
	}
	if loop, onLoop, _ := c.options.declared.param(s.fn, param); onLoop {
		return loop, true
	}
	own := s.fn.Signature().Params()
	if loop, ok := c.given[own.At(param)]; ok {
		return loop, true
	}
	if summary := c.known.function(s.fn); summary != nil {
		if use := summary.param(param, OnLoop); use != nil {
			return use.Loop, true
		}
	}
	if symbols.IsAbstract(s.fn) && c.holdsFunctions(own.At(param).Type()) {
		return c.abstractLoop(s.fn, param)
	}
	return Loop{}, false
}

// typeLoop returns the loop of a named function type.
func (c *collector) typeLoop(t *types.TypeName) (Loop, bool) {
	if loop, ok := c.directed.loops[t]; ok {
		return loop, true
	}
	if loop, ok := frameworks.Type(t.Type()); ok {
		return newLoop(loop), c.holds(loop)
	}
	if summary := c.known.named(t); summary != nil {
		if use := summary.param(self, OnLoop); use != nil {
			return use.Loop, true
		}
	}
	return Loop{}, false
}

func calledName(s *step) string {
	if s.fn != nil {
		return s.fn.Name()
	}
	return types.ExprString(s.call.Fun)
}

// register adds the functions that an expression denotes as entries. A parameter
// makes what callers give for it entries in their turn.
func (c *collector) register(expr ast.Expr, loop Loop, name string) {
	for _, v := range c.values(expr) {
		c.registerValue(v, expr, loop, name)
	}
}

// registerMethods adds the methods by which a value is what a loop asks for.
func (c *collector) registerMethods(expr ast.Expr, iface *types.Interface, loop Loop) {
	t := c.info.TypeOf(expr)
	if t == nil || types.IsInterface(t) {
		return
	}
	for m := range iface.Methods() {
		obj, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, m.Name())
		if fn, ok := obj.(*types.Func); ok {
			c.registerValue(c.functionValue(fn.Origin()), expr, loop, fn.Name())
		}
	}
}

func (c *collector) registerValue(v value, at ast.Node, loop Loop, name string) {
	switch {
	case v.param != nil:
		if _, known := c.given[v.param]; !known && !c.directed.off[v.param] {
			c.given[v.param] = loop
		}
	case v.node != nil:
		if v.node.obj != nil {
			name = v.node.name
		}
		c.add(&entry{loop: loop, name: name, node: v.node})
		for param := range v.node.called {
			if _, known := c.given[param]; !known && c.params[param].node != v.node && !c.directed.off[param] {
				c.given[param] = loop
			}
		}
	default:
		c.registerOutside(v, at, loop, name)
	}
}

func (c *collector) registerOutside(v value, at ast.Node, loop Loop, name string) {
	targets := c.targets(v)
	if len(targets) == 0 {
		return
	}
	for _, e := range c.entries {
		if e.outside != nil && e.outside.pos == at.Pos() {
			return
		}
	}
	if v.fn != nil {
		name = v.fn.Name()
	}
	c.add(&entry{loop: loop, name: name, outside: &outside{pos: at.Pos(), end: at.End(), targets: targets}})
}

// conversions adds the functions that are converted to a type whose functions
// run on a loop.
func (c *collector) conversions() {
	for _, call := range c.converted {
		named, ok := types.Unalias(c.info.TypeOf(call.Fun)).(*types.Named)
		if !ok {
			continue
		}
		if loop, ok := c.typeLoop(named.Obj()); ok {
			c.register(call.Args[0], loop, "the function converted to "+named.Obj().Name())
		}
	}
}

// fieldCallbacks adds the functions that are put into a field that a loop calls.
func (c *collector) fieldCallbacks() {
	for _, obj := range c.holders {
		field, ok := obj.(*types.Var)
		if !ok {
			continue
		}
		loop, name, ok := c.fieldLoop(field)
		if !ok {
			continue
		}
		for _, from := range c.sources[obj] {
			for _, v := range c.origin(from) {
				c.registerValue(v, from.expr, loop, name)
			}
		}
	}
}

// fieldLoop returns the loop that calls what a field or variable holds.
func (c *collector) fieldLoop(v *types.Var) (loop Loop, name string, ok bool) {
	name = "the function in " + v.Name()
	if loop, ok := c.directed.loops[v]; ok {
		return loop, name, true
	}
	owner := c.frameworkOwner(v)
	if owner != nil && frameworks.OffField(owner, v.Name()) {
		return Loop{}, "", false
	}
	if named, ok := types.Unalias(v.Type()).(*types.Named); ok {
		if loop, ok := c.typeLoop(named.Obj()); ok {
			return loop, name, true
		}
	}
	if !v.IsField() || v.Pkg() == c.pass.Pkg {
		return Loop{}, "", false
	}
	if summary := c.known.variable(v); summary != nil {
		if use := summary.param(self, OnLoop); use != nil {
			return use.Loop, name, true
		}
	}
	if owner != nil {
		if loop, ok := frameworks.Field(owner, v.Name()); ok && c.holds(loop) {
			return newLoop(loop), name, true
		}
	}
	return Loop{}, "", false
}

// frameworkOwner returns the struct of a framework that declares a field, or nil.
func (c *collector) frameworkOwner(v *types.Var) *types.Named {
	if !v.IsField() || v.Pkg() == nil || v.Pkg() == c.pass.Pkg || !frameworks.Mentions(v.Pkg().Path()) {
		return nil
	}
	return fieldOwner(v)
}

// fieldOwner returns the named struct type that declares a field, or nil.
func fieldOwner(field *types.Var) *types.Named {
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		structure, ok := t.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range structure.Fields() {
			if f == field {
				named, _ := t.Type().(*types.Named)
				return named
			}
		}
	}
	return nil
}
