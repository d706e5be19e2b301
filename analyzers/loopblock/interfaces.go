package loopblock

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// How many types may implement an interface's method for calls of the method to
// be followed; of other packages' types those count that block. With more, the
// method is a general one such as Close, and a chain through it is mostly one
// that cannot happen (measured on lnd and nats-server). A method that speaks of a
// framework's types, such as Update(tea.Msg) tea.Cmd, is none of these where it is
// called on each of a collection: by it a loop hands its events to every part of
// the program. But one that an interface only takes over from a framework's has
// every part of the program for an implementation, of which one is meant.
const (
	maxImplementations = 8
	maxParts           = 64
	maxTakenOver       = 1
)

// An abstract method is one of an interface of this module. Packages that know
// more of its implementations resolve it again, so it has a name of its own:
// interfacePath.Interface.Method.
type abstract struct {
	name    string   // "" if the interface has none
	key     string   // of the method
	methods []string // keys of all methods that the interface demands
	limit   int      // of implementations
	part    bool     // it speaks of a framework's types
}

// abstractTargets returns what a call of an interface's method may run, when it
// is called on a value of the receiver's type, by the call if there is one.
func (p *program) abstractTargets(fn *types.Func, receiver types.Type, call *ast.CallExpr) []target {
	a, ok := p.abstractOf(fn, receiver)
	if !ok {
		return p.hiddenTargets(fn, receiver)
	}
	a = p.partOf(a, call)
	targets, ok := p.implementations(a)
	if !ok {
		return nil
	}
	if b, ok := signatures[a.key]; ok {
		targets = append(targets, target{paths: []Path{{Kind: b.kind, Root: b.name}}})
	}
	if a.name != "" {
		targets = append(targets, target{paths: []Path{{Root: a.name, Loop: a.name}}})
	}
	return targets
}

// hiddenTargets returns what a call of another module's interface runs there, if
// the facts of that module's packages tell.
func (p *program) hiddenTargets(fn *types.Func, receiver types.Type) []target {
	named, ok := types.Unalias(receiver).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || isStandard(named.Obj().Pkg().Path(), p.known.module) {
		return nil
	}
	root := repository(named.Obj().Pkg().Path())
	paths := p.known.stored(p.reachable(), root, hiddenKey(named.Obj(), fn))
	if len(paths) == 0 {
		return nil
	}
	return []target{{paths: paths}}
}

// repository returns the part of an import path that all packages of its module
// share, or more: host, owner and name on the hosts that have owners, host and
// first element elsewhere.
func repository(path string) string {
	host, _, _ := strings.Cut(path, "/")
	length := 2
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		length = 3
	}
	elements := strings.Split(path, "/")
	return strings.Join(elements[:min(length, len(elements))], "/")
}

// abstractOf returns the method as it is called on a value of an interface of
// this module. Interfaces of other modules and of the standard library have too
// many implementations that never meet their callers.
func (p *program) abstractOf(fn *types.Func, receiver types.Type) (abstract, bool) {
	iface, ok := receiver.Underlying().(*types.Interface)
	if !ok {
		return abstract{}, false
	}
	o := ownerOf(receiver, fn)
	if !p.isOurs(o.pkg) {
		return abstract{}, false
	}
	a := abstract{key: keyIn(iface, fn), methods: methodKeys(iface), limit: maxImplementations, part: isPart(fn)}
	if fn.Pkg() == nil || p.known.opaque(fn.Pkg().Path()) {
		a.limit = maxTakenOver
	}
	if o.name != "" {
		a.name = o.pkg.Path() + "." + o.name + "." + fn.Name()
		p.demand(a)
	}
	return a, true
}

// demand notes that a method is called. One that is anywhere called on each of a
// collection may be that of any part.
func (p *program) demand(a abstract) {
	if p.demanded[a.name].limit < a.limit {
		p.demanded[a.name] = a
	}
}

// keyIn returns the key of the method as an interface demands it: with its types
// put in, if it is an instance of a generic one.
func keyIn(iface *types.Interface, fn *types.Func) string {
	for m := range iface.Methods() {
		if m.Name() == fn.Name() {
			return methodKey(m)
		}
	}
	return methodKey(fn)
}

// implementations returns what a call of an interface's method may run: the
// methods of types that implement the interface, as far as they block. Of too
// many it returns none, and false.
func (p *program) implementations(a abstract) ([]target, bool) {
	own, others, ok := p.implementers(a)
	found := p.newShortlist()
	for _, fn := range own {
		for _, t := range p.targets(p.functionValue(fn)) {
			found.add(nil, false, t)
		}
	}
	for _, summary := range others {
		for _, t := range p.pathTargets(summary.Paths) {
			found.add(nil, false, t)
		}
	}
	return found.list, ok
}

// implementers returns the methods that implement an interface's: of this
// package's types, and what is known of those of others. Of too many it returns
// none, and false.
func (p *program) implementers(a abstract) (own []*types.Func, others []*Summary, ok bool) {
	if !p.loaded {
		p.loadImplementers()
	}
	count := 0
	for _, i := range p.local {
		fn := i.funcs[a.key]
		if fn == nil || !i.implements(a.methods) {
			continue
		}
		if !symbols.IsAbstract(fn) { // that of an embedded interface is whoever fills it in
			own = append(own, fn)
		}
		count++
	}
	for _, i := range p.foreign {
		if known := i.known[a.key]; known != nil && i.implements(a.methods) {
			others = append(others, known)
			if known.blocks() {
				count++
			}
		}
	}
	if count > a.limit {
		return nil, nil, false
	}
	return own, others, true
}

// abstractSynchronous returns how an implementation of an interface's method
// calls its parameter before it returns, or nil.
func (p *program) abstractSynchronous(fn *types.Func, param int) *called {
	a, ok := p.abstractOf(fn, fn.Signature().Recv().Type())
	if !ok {
		return nil
	}
	own, others, _ := p.implementers(a)
	for _, method := range own {
		if use := p.synchronous(method, param); use != nil {
			return use
		}
	}
	for _, summary := range others {
		if use := summary.param(param, Synchronous); use != nil {
			return &called{hops: foreignHops(use.Hops), once: use.Once}
		}
	}
	return nil
}

// abstractLoop returns the loop on which an implementation of an interface's
// method puts its parameter.
func (c *collector) abstractLoop(fn *types.Func, param int) (Loop, bool) {
	a, ok := c.abstractOf(fn, fn.Signature().Recv().Type())
	if !ok {
		return Loop{}, false
	}
	own, others, _ := c.implementers(a)
	for _, method := range own {
		if loop, ok := c.given[method.Signature().Params().At(param)]; ok {
			return loop, true
		}
	}
	for _, summary := range others {
		if use := summary.param(param, OnLoop); use != nil {
			return use.Loop, true
		}
	}
	return Loop{}, false
}

// pathTargets returns what a function of another package runs by its paths: what
// they end in, and what this package knows of the interfaces' methods there.
func (p *program) pathTargets(paths []Path) []target {
	return append([]target{{paths: paths}}, p.resolved(paths)...)
}

// resolved returns what the calls of interfaces' methods in paths from other
// packages may run, as far as this package knows of implementations.
func (p *program) resolved(paths []Path) []target {
	found := p.newShortlist()
	for i := range paths {
		path := &paths[i]
		if path.Kind != "" {
			continue
		}
		before := foreignHops(path.Hops)
		for _, t := range p.resolve(path.Root) {
			found.add(before, path.Once, t)
		}
	}
	return found.list
}

// resolve returns what a call of the named method may run.
func (p *program) resolve(name string) []target {
	if known, ok := p.abstracts[name]; ok {
		return known
	}
	p.abstracts[name] = nil // an implementation that calls the method again
	a, ok := p.lookAbstract(name)
	if ok {
		p.abstracts[name], _ = p.implementations(a)
	}
	return p.abstracts[name]
}

// lookAbstract finds a method of an interface where a call of it was met, at any
// distance, or among the types that this package's imports lead to.
func (p *program) lookAbstract(name string) (abstract, bool) {
	if a, ok := p.demanded[name]; ok {
		return a, true
	}
	if !p.loaded {
		p.loadImplementers()
	}
	if a, ok := p.distant[name]; ok {
		return a, true
	}
	return p.reachableAbstract(name)
}

func (p *program) reachableAbstract(name string) (abstract, bool) {
	owner, method := cutLast(name)
	path, iface := cutLast(owner)
	t := p.reachable().find(path, iface)
	if path == p.pass.Pkg.Path() {
		if obj, ok := p.pass.Pkg.Scope().Lookup(iface).(*types.TypeName); ok {
			t = obj.Type()
		}
	}
	if t == nil {
		return abstract{}, false
	}
	u, ok := t.Underlying().(*types.Interface)
	if !ok {
		return abstract{}, false
	}
	for m := range u.Methods() {
		if m.Name() == method {
			return abstract{name: name, key: methodKey(m), methods: methodKeys(u), limit: maxImplementations, part: isPart(m)}, true
		}
	}
	return abstract{}, false
}

// reachable returns the packages that the imports lead to.
func (p *program) reachable() *lookup {
	if p.types == nil {
		p.types = newLookup(p.pass.Pkg)
	}
	return p.types
}

func cutLast(s string) (before, after string) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+1:]
}

func (p *program) functionValue(fn *types.Func) value {
	if n := p.declared[fn]; n != nil {
		return value{node: n}
	}
	return value{fn: fn}
}

// receiver returns the interface through which a method is called: the one that
// the receiver expression has, which may demand more than the one that declares
// the method.
func (p *program) receiver(s *step) types.Type {
	if selector := selectorOf(s.call); selector != nil {
		if selection := p.info.Selections[selector]; selection != nil && types.IsInterface(selection.Recv()) {
			return selection.Recv()
		}
	}
	return s.fn.Signature().Recv().Type()
}

// An owner is who declares an interface: its name is "" if it has none that
// others can look up.
type owner struct {
	pkg  *types.Package
	name string
}

func ownerOf(t types.Type, fn *types.Func) owner {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return owner{pkg: fn.Pkg()}
	}
	o := owner{pkg: named.Obj().Pkg()}
	if o.pkg != nil && named.TypeParams().Len() == 0 && named.Obj().Parent() == o.pkg.Scope() {
		o.name = named.Obj().Name()
	}
	return o
}

// isOurs reports whether a package belongs to the module under analysis.
func (p *program) isOurs(pkg *types.Package) bool {
	switch {
	case pkg == nil:
		return false
	case pkg == p.pass.Pkg:
		return true
	case p.known.module == "":
		return !isStandard(pkg.Path(), "")
	}
	return within(pkg.Path(), p.known.module)
}

func methodKeys(iface *types.Interface) []string {
	var keys []string
	for m := range iface.Methods() {
		keys = append(keys, methodKey(m))
	}
	return keys
}
