package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
)

// An entry is code that runs on a loop.
type entry struct {
	loop Loop
	name string // as a message begins: "Update", "the function given to QueueUpdateDraw"

	node    *node    // a function of this package, or nil
	body    ast.Node // the part of it that runs on the loop, or nil for all
	outside *outside // what is no function of this package
}

// An outside entry is a function that this package gives to a loop but does not
// declare.
type outside struct {
	pos, end token.Pos
	targets  []target
}

// A collector finds the entries of a package.
type collector struct {
	*program
	entries   []*entry
	seen      map[*node]bool
	given     map[*types.Var]Loop // parameters that end up on a loop
	unordered bool                // the package lets callbacks run in any order
}

// collect returns the entries, in the order in which they are found, which is
// that of the source for each kind.
func (p *program) collect() *collector {
	c := &collector{program: p, seen: make(map[*node]bool), given: make(map[*types.Var]Loop)}
	c.unordered = c.isUnordered()
	for param, loop := range p.directed.loops {
		if v, ok := param.(*types.Var); ok && p.params[v] != nil {
			c.given[v] = loop
		}
	}
	c.declaredLoops()
	c.methods()
	for before := -1; before != len(c.given)+len(c.entries); {
		before = len(c.given) + len(c.entries)
		c.callbacks()
		c.fieldCallbacks()
		c.conversions()
	}
	c.receivers()
	return c
}

func (c *collector) add(e *entry) {
	if e.node != nil && e.body == nil {
		if c.seen[e.node] {
			return
		}
		c.seen[e.node] = true
	}
	c.entries = append(c.entries, e)
}

// declaredLoops adds the functions whose directive says loop.
func (c *collector) declaredLoops() {
	for _, n := range c.nodes {
		v := c.verdict(n)
		if v == nil || v.loop == nil {
			continue
		}
		loops := eventLoops(n.body)
		if len(loops) == 0 {
			c.add(&entry{loop: *v.loop, name: n.name, node: n})
		}
		for _, loop := range loops {
			c.seen[n] = true
			c.add(&entry{loop: *v.loop, name: n.name, node: n, body: loop})
		}
	}
}

func (p *program) verdict(n *node) *verdict {
	if n.lit != nil {
		return p.directed.literals[n.lit]
	}
	return p.directed.verdicts[n.obj]
}

// eventLoops returns the for statements at the top of a function's body that
// receive: what stands before them does not run on the loop yet.
func eventLoops(body *ast.BlockStmt) []ast.Stmt {
	var loops []ast.Stmt
	for _, statement := range body.List {
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		switch s := statement.(type) {
		case *ast.ForStmt:
			if receives(s.Body) {
				loops = append(loops, s)
			}
		case *ast.RangeStmt:
			loops = append(loops, s)
		}
	}
	return loops
}

// receives reports whether a block waits for something by a select or a receive.
func receives(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// methods adds the methods that a framework calls.
func (c *collector) methods() {
	if !c.importsFramework() {
		return
	}
	lookup := c.reachable()
	for _, n := range c.nodes {
		if n.obj == nil || n.sig.Recv() == nil {
			continue
		}
		if loop, ok := frameworks.Method(n.sig.Recv().Type(), n.obj, lookup.find); ok && c.holds(loop) {
			c.add(&entry{loop: newLoop(loop), name: n.name, node: n})
			c.handlers(n, newLoop(loop))
		}
	}
}

// handlers adds the functions that a framework's method returns for the loop to
// call; commands are not for it.
func (c *collector) handlers(n *node, loop Loop) {
	for i := range n.sig.Results().Len() {
		if frameworks.OffType(n.sig.Results().At(i).Type()) {
			continue
		}
		for _, v := range c.returnedBy(n, i) {
			c.registerValue(v, n.body, loop, "the function that "+n.name+" returns")
		}
	}
}

// importsFramework reports whether the package can name a framework's types.
func (c *collector) importsFramework() bool {
	for _, direct := range c.pass.Pkg.Imports() {
		if frameworks.Mentions(direct.Path()) {
			return true
		}
		for _, mentioned := range direct.Imports() {
			if frameworks.Mentions(mentioned.Path()) {
				return true
			}
		}
	}
	return false
}

// A lookup finds types of the packages that a package imports, at a distance.
type lookup struct {
	packages map[string]*types.Package
	list     []*types.Package // the same, in the order of the imports
}

func newLookup(pkg *types.Package) *lookup {
	l := &lookup{packages: make(map[string]*types.Package)}
	l.add(pkg)
	return l
}

func (l *lookup) add(pkg *types.Package) {
	for _, imported := range pkg.Imports() {
		if l.packages[imported.Path()] == nil {
			l.packages[imported.Path()] = imported
			l.list = append(l.list, imported)
			l.add(imported)
		}
	}
}

func (l *lookup) find(path, name string) types.Type {
	if pkg := l.packages[path]; pkg != nil {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			return t.Type()
		}
	}
	return nil
}

// holds reports whether a framework's entry is one in this package.
func (c *collector) holds(loop frameworks.Loop) bool { return !loop.Ordered || !c.unordered }

// isUnordered reports whether the package makes a framework run its callbacks
// on goroutines of their own.
func (c *collector) isUnordered() bool {
	for _, n := range c.nodes {
		for _, s := range n.steps {
			if s.fn == nil || len(s.call.Args) == 0 || !frameworks.Unordered(s.fn) {
				continue
			}
			if v := c.info.Types[s.call.Args[0]].Value; v != nil && v.String() == "false" {
				return true
			}
		}
	}
	return false
}

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
	sig := s.sig
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
	if named, ok := types.Unalias(s.sig.Params().At(param).Type()).(*types.Named); ok {
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
	if param >= own.Len() {
		return Loop{}, false
	}
	if loop, ok := c.given[own.At(param)]; ok {
		return loop, true
	}
	if summary := c.known.function(s.fn); summary != nil {
		if use := summary.param(param, OnLoop); use != nil {
			return use.Loop, true
		}
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
	if !frameworks.Mentions(v.Pkg().Path()) {
		return Loop{}, "", false
	}
	if owner := fieldOwner(v); owner != nil {
		if loop, ok := frameworks.Field(owner, v.Name()); ok && c.holds(loop) {
			return newLoop(loop), name, true
		}
	}
	return Loop{}, "", false
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

// receivers adds the bodies of loops that receive from a framework.
func (c *collector) receivers() {
	channels := c.loopChannels()
	for _, n := range c.nodes {
		inspectLoops(n.body, func(loop ast.Stmt, body *ast.BlockStmt) {
			l, ok := c.receivesFrom(loop, body, channels)
			if ok {
				name := n.name
				if n.obj == nil {
					name = "this loop"
				}
				c.add(&entry{loop: l, name: name, node: n, body: loop})
			}
		})
	}
}

// inspectLoops calls f with every loop of a function's body, the outer before
// the inner, without those of literals inside.
func inspectLoops(body *ast.BlockStmt, f func(loop ast.Stmt, body *ast.BlockStmt)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			f(n, n.Body)
		case *ast.RangeStmt:
			f(n, n.Body)
		}
		return true
	})
}

// receivesFrom returns the framework's loop whose events a loop handles.
func (c *collector) receivesFrom(loop ast.Stmt, body *ast.BlockStmt, channels map[types.Object]Loop) (Loop, bool) {
	var found Loop
	ok := false
	look := func(n ast.Node) bool {
		if ok {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			return n == loop
		case *ast.CallExpr:
			if fn := c.static(n); fn != nil {
				var l frameworks.Loop
				if l, ok = frameworks.Receive(fn); ok {
					found, ok = newLoop(l), c.holds(l)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				found, ok = channels[c.place(n.X)]
			}
		}
		return !ok
	}
	ast.Inspect(body, look)
	if r, isRange := loop.(*ast.RangeStmt); isRange && !ok {
		ast.Inspect(r.X, look)
		if !ok {
			found, ok = channels[c.place(r.X)]
		}
	}
	return found, ok
}

// loopChannels returns the channels that the package gives to a framework which
// must not wait for their receiver.
func (c *collector) loopChannels() map[types.Object]Loop {
	channels := make(map[types.Object]Loop)
	for _, call := range c.channelCalls {
		fn := c.static(call.call)
		if fn == nil {
			continue
		}
		if loop, ok := frameworks.Receive(fn); ok && c.holds(loop) {
			channels[call.to] = newLoop(loop)
		}
	}
	for _, passed := range c.passed {
		if loop, ok := frameworks.ReceiveField(passed.owner, passed.field); ok && c.holds(loop) {
			if obj := c.place(passed.value); obj != nil {
				channels[obj] = newLoop(loop)
			}
		}
	}
	return channels
}
