package loopblock

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// link finds out what every step runs.
func (p *program) link() {
	for _, n := range p.nodes {
		for _, s := range n.steps {
			p.linkStep(n, s)
		}
	}
}

func (p *program) linkStep(n *node, s *step) {
	if s.call == nil || s.away {
		return
	}
	if s.fn == nil {
		p.linkValue(n, s)
		return
	}
	p.linkFunction(n, s)
	p.linkArguments(n, s)
}

// linkFunction finds what a call of a named function or method runs.
func (p *program) linkFunction(n *node, s *step) {
	if blocks, known := p.judge(s.fn, s.call); known {
		s.roots = append(p.asLog(n, s, blocks), p.waitForPosted(s)...)
		return
	}
	switch declared := p.declared[s.fn]; {
	case declared != nil:
		s.targets = append(s.targets, target{node: declared})
	case symbols.IsAbstract(s.fn):
		s.targets = append(s.targets, p.abstractTargets(s.fn, p.receiver(s), s.call)...)
	default:
		if summary := p.known.function(s.fn); summary != nil {
			s.targets = append(s.targets, p.pathTargets(summary.Paths)...)
		}
	}
}

// judge returns what tables and directives say of a call, and whether they
// have the last word. call is nil where only the function is known.
func (p *program) judge(fn *types.Func, call *ast.CallExpr) ([]*blocker, bool) {
	if verdict := p.directed.of(fn); verdict != nil {
		return verdict.blocks, true
	}
	if loop, ok := frameworks.SelfWait(fn); ok {
		return p.blocker(&blocker{roots.Self, rootName(fn), loop.Name}), true
	}
	if roots.NonBlocking(fn) || call != nil && p.isNonBlockingThrough(call, fn) {
		return nil, true
	}
	if condition := roots.Conditional(fn); !condition.IsZero() {
		if call == nil {
			root, ok := condition.Assumed()
			return p.blockerOf(root, ok, fn), true
		}
		root, ok := condition.HoldsThrough(p.info, call, p.lastValue)
		return p.blockerOf(root, ok, fn), true
	}
	if root, ok := roots.Of(fn); ok {
		return p.blockerOf(root, true, fn), true
	}
	return nil, (fn.Pkg() == nil || p.known.opaque(fn.Pkg().Path())) && !p.isEmbedded(fn, call)
}

// isEmbedded reports whether a method of another module's interface is called as
// one of an interface of this module, which embeds it.
func (p *program) isEmbedded(fn *types.Func, call *ast.CallExpr) bool {
	if call == nil || !symbols.IsAbstract(fn) {
		return false
	}
	return p.isOurs(ownerOf(p.receiver(&step{call: call, fn: fn}), fn).pkg)
}

// isNonBlockingThrough reports whether a method does not block on the type that it is
// called on, although it does on the one that declares it.
func (p *program) isNonBlockingThrough(call *ast.CallExpr, fn *types.Func) bool {
	selector := selectorOf(call)
	if selector == nil || fn.Signature().Recv() == nil {
		return false
	}
	receiver := p.info.TypeOf(selector.X)
	return receiver != nil && roots.NonBlockingThrough(receiver, fn.Name())
}

func (p *program) blockerOf(root roots.Root, ok bool, fn *types.Func) []*blocker {
	if !ok {
		return nil
	}
	name := rootName(fn)
	if root.Clause != "" {
		name += " (" + root.Clause + ")"
	}
	return p.blocker(&blocker{kind: root.Kind, name: name})
}

// blocker returns the blocker if its kind is looked for.
func (p *program) blocker(b *blocker) []*blocker {
	if !p.options.on(b.kind) {
		return nil
	}
	return []*blocker{b}
}

// lastValue returns the expression that a variable holds, if there is only one.
func (p *program) lastValue(id *ast.Ident) ast.Expr {
	return p.singles[p.info.ObjectOf(id)]
}

// linkValue finds what a call of a function value runs.
func (p *program) linkValue(n *node, s *step) {
	known := p.run(n, s, p.values(s.call.Fun), &called{})
	if !known && frameworks.OffType(p.info.TypeOf(s.call.Fun)) {
		s.roots = p.blocker(&blocker{kind: roots.Wait, name: "a command that is called, not returned"})
	}
}

// run adds to a step the functions that values may be, and reports whether
// there is any. A parameter of a function around the step is left to callers.
func (p *program) run(n *node, s *step, values []value, use *called) bool {
	known := false
	seen := make(map[capture]bool)
	for _, v := range p.expanded(values, n) {
		known = true
		if v.param != nil {
			continue
		}
		if !p.addTargets(s, v, use) {
			break
		}
		if v.node != nil && v.node.obj == nil {
			p.runCaptured(n, s, v, use, seen)
		}
	}
	return known
}

// maxTargets bounds what one call is taken to run, as maxValues bounds what one
// variable is taken to hold.
const maxTargets = 200

// addTargets adds what a value runs to a step, each function once, and reports
// whether there is room for more.
func (p *program) addTargets(s *step, v value, use *called) bool {
	for _, t := range p.targets(v) {
		if len(s.targets) >= maxTargets {
			return false
		}
		if t.node != nil && slices.ContainsFunc(s.targets, func(known target) bool { return known.node == t.node }) {
			continue
		}
		t.via, t.once = slices.Concat(use.hops, t.via), t.once || use.once || v.once
		s.targets = append(s.targets, t)
	}
	return true
}

// A capture is a parameter as one call gave it, or as any did.
type capture struct {
	param *types.Var
	bound *ast.CallExpr
}

// runCaptured adds what a literal calls that was a parameter of the function
// around it, where that has returned.
func (p *program) runCaptured(n *node, s *step, v value, use *called, seen map[capture]bool) {
	literal := v.node
	params := slices.SortedFunc(maps.Keys(literal.called), func(a, b *types.Var) int { return chain.Compare(p.pass.Fset, a.Pos(), b.Pos()) })
	for _, param := range params {
		owner := p.params[param].node
		if owner == literal || n.within(owner) {
			continue
		}
		by := capture{param, v.bound}
		if by.bound != nil && p.static(by.bound) != owner.obj {
			by.bound = nil // it gave something else
		}
		if seen[by] {
			continue
		}
		seen[by] = true
		inner := literal.called[param]
		through := &called{hops: slices.Concat(use.hops, inner.hops), once: use.once || inner.once}
		for _, given := range p.givenBy(by.bound, param) {
			for _, captured := range p.expanded(p.values(given), n) {
				if captured.param == nil && !p.addTargets(s, captured, through) {
					return
				}
			}
		}
	}
}

// targets returns what calling a function value runs.
func (p *program) targets(v value) []target {
	switch {
	case v.node != nil:
		return []target{{node: v.node}}
	case v.fn == nil:
		return p.pathTargets(v.paths)
	}
	if blocks, known := p.judge(v.fn, nil); known {
		var t target
		for _, b := range blocks {
			t.paths = append(t.paths, Path{Kind: b.kind, Root: b.name, Loop: b.loop})
		}
		return []target{t}
	}
	if symbols.IsAbstract(v.fn) {
		return p.abstractTargets(v.fn, v.fn.Signature().Recv().Type(), nil)
	}
	if summary := p.known.function(v.fn); summary != nil {
		return p.pathTargets(summary.Paths)
	}
	return nil
}

// linkArguments finds the functions that a call gives away and that run before
// it returns.
func (p *program) linkArguments(n *node, s *step) {
	sig := s.fn.Signature()
	for i := range sig.Params().Len() {
		use := p.synchronous(s.fn, i)
		if use == nil {
			continue
		}
		for _, arg := range arguments(p.info, s.call, sig, i) {
			p.run(n, s, p.values(arg), use)
		}
	}
}

// A called is a way on which a function calls one of its parameters.
type called struct {
	hops []hop // from the function itself on; none for a function of the standard library
	once bool
}

// synchronous returns how a function calls its parameter before it returns, or nil.
func (p *program) synchronous(fn *types.Func, param int) *called {
	if _, onLoop := frameworks.Callback(fn, param); onLoop || frameworks.OffLoop(fn, param) || slices.Contains(roots.Elsewhere(fn), param) {
		return nil
	}
	if _, onLoop, off := p.options.declared.param(fn, param); onLoop || off || p.directed.isAway(fn, param) {
		return nil
	}
	if slices.Contains(roots.Synchronous(fn), param) {
		return &called{once: roots.Once(fn)}
	}
	if n := p.declared[fn]; n != nil {
		return n.called[fn.Signature().Params().At(param)]
	}
	if symbols.IsAbstract(fn) {
		return p.abstractSynchronous(fn, param)
	}
	summary := p.known.function(fn)
	if summary == nil {
		return nil
	}
	if use := summary.param(param, Synchronous); use != nil {
		return &called{hops: foreignHops(use.Hops), once: use.Once}
	}
	return nil
}

// rootName returns a function's name as a message says it: "os.WriteFile",
// "http.Client.Do".
func rootName(fn *types.Func) string {
	if fn.Pkg() == nil {
		return symbols.Name(fn)
	}
	return fn.Pkg().Name() + "." + symbols.Name(fn)
}

// ownerName returns the name of a receiver's type, or "".
func ownerName(t types.Type) string {
	if named := symbols.Named(t); named != nil {
		return named.Obj().Name()
	}
	return ""
}

// selectorOf returns the selector that a call calls, or nil.
func selectorOf(call *ast.CallExpr) *ast.SelectorExpr {
	if call == nil {
		return nil
	}
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // an explicit instance
		fun = ast.Unparen(index.X)
	}
	selector, _ := fun.(*ast.SelectorExpr)
	return selector
}
