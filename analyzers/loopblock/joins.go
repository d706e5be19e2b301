package loopblock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// Unresolved is the fact about a package that tells which methods of interfaces
// it calls, and which of them on its loops. Their implementations may be in
// packages that this one does not import: the program that joins the two, a
// package main, reports what the loop waits for, at the loop.
type Unresolved struct{ Data []byte }

// AFact marks Unresolved as a fact of the go/analysis framework.
func (*Unresolved) AFact() {}

// Transitive says that the fact is wanted by all packages of the module that
// depend on this one.
func (*Unresolved) Transitive() {}

func (f *Unresolved) String() string {
	interfaces, loops, err := f.decode()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d methods of interfaces, %d loops", len(interfaces), len(loops))
}

// An openLoop is code on a loop of another package that calls methods of interfaces.
type openLoop struct {
	name  string
	loop  Loop
	kinds []roots.Kind // what it is known to wait for already
	calls []openCall
}

// An openCall is a way from a loop to a method of an interface.
type openCall struct {
	at     chain.Hop // the call on the loop
	length int       // of the call in bytes, if it is written on one line; or 0
	path   Path      // Root is the name of the method
}

// openLoops returns the package's own loops that call interfaces' methods.
func (c *collector) openLoops() []openLoop {
	var list []openLoop
	for _, e := range c.entries {
		at, _ := e.place()
		if c.markers.skips(at) {
			continue
		}
		open := openLoop{name: e.name, loop: e.loop}
		steps := c.entrySteps(e)
		for _, s := range steps {
			open.calls = append(open.calls, c.openCalls(s)...)
		}
		if open.calls = nearest(open.calls); len(open.calls) == 0 {
			continue
		}
		for _, way := range c.waysOf(e, steps, nil) {
			open.kinds = append(open.kinds, way.kind)
		}
		list = append(list, open)
	}
	return list
}

// entrySteps returns the steps that an entry makes on its loop.
func (c *collector) entrySteps(e *entry) []*step {
	if e.outside != nil {
		return []*step{c.outsideStep(e)}
	}
	return e.node.steps
}

func (c *collector) openCalls(s *step) []openCall {
	if s.marker != nil || s.away {
		return nil
	}
	var list []openCall
	c.each(s, func(way reach) {
		if way.kind != "" || way.depth > maxAbstractDepth || c.namesPart(way.loop) {
			return
		}
		at := chain.At(c.pass.Fset, s.reportPos(c.pass.Fset), "")
		call := openCall{at: at, path: c.rest(&way)}
		if end := c.pass.Fset.Position(s.end); end.Line == at.Line {
			call.length = end.Column - at.Col
		}
		list = append(list, call)
	})
	return list
}

// namesPart reports whether a method is that by which a loop hands its events to
// parts of the program. These are on the loop themselves, and which part it is
// that a loop hands them to, a package main does not know better.
func (p *program) namesPart(name string) bool {
	a, ok := p.lookAbstract(name)
	return ok && a.part
}

// nearest returns the shortest way to each method, as many as are handed on.
func nearest(calls []openCall) []openCall {
	slices.SortStableFunc(calls, func(a, b openCall) int { return cmp.Compare(len(a.path.Hops), len(b.path.Hops)) })
	seen := make(map[string]bool)
	calls = slices.DeleteFunc(calls, func(call openCall) bool {
		known := seen[call.path.Root]
		seen[call.path.Root] = true
		return known
	})
	return calls[:min(len(calls), maxAbstract)]
}

// joined returns what loops of other packages of the module wait for through
// interfaces whose implementations this program knows and they do not.
func (c *collector) joined() []finding {
	if c.pass.Pkg.Name() != "main" || strings.HasSuffix(c.pass.Pkg.Path(), ".test") {
		return nil
	}
	var list []finding
	for _, open := range c.foreignLoops() {
		list = append(list, c.join(&open)...)
	}
	return list
}

// join returns the shortest way for each kind that a loop is not known to wait for.
func (c *collector) join(open *openLoop) []finding {
	e := &entry{loop: open.loop, name: open.name}
	steps := make([]*step, len(open.calls))
	calls := make(map[*step]*openCall)
	for i := range open.calls {
		call := &open.calls[i]
		steps[i] = &step{targets: c.resolved([]Path{call.path})}
		calls[steps[i]] = call
	}
	var list []finding
	for _, way := range c.waysOf(e, steps, nil) {
		if way.kind != roots.Self && !slices.Contains(open.kinds, way.kind) {
			list = append(list, c.joinedFinding(e, way, calls[way.step]))
		}
	}
	return list
}

func (c *collector) joinedFinding(e *entry, way *reach, call *openCall) finding {
	pos, end := chain.Foreign(c.pass.Fset, call.at, call.length)
	return finding{pos: pos, end: end, path: c.rest(way), category: Category, clause: e.clause(), foreign: true}
}

// foreignLoops returns the open loops of the module's other packages.
func (c *collector) foreignLoops() []openLoop {
	var all []openLoop
	c.eachUnresolved(func(_ []abstract, loops []openLoop) { all = append(all, loops...) })
	return all
}

// distantInterfaces returns the methods of interfaces that other packages of the
// module call, by name.
func (p *program) distantInterfaces() map[string]abstract {
	known := make(map[string]abstract)
	p.eachUnresolved(func(interfaces []abstract, _ []openLoop) {
		for _, a := range interfaces {
			if known[a.name].limit < a.limit {
				known[a.name] = a
			}
		}
	})
	return known
}

func (p *program) eachUnresolved(f func([]abstract, []openLoop)) {
	for _, fact := range p.pass.AllPackageFacts() {
		unresolved, ok := fact.Fact.(*Unresolved)
		if !ok || fact.Package.Path() == p.pass.Pkg.Path() || !p.isOurs(fact.Package) {
			continue
		}
		interfaces, loops, err := unresolved.decode()
		if err != nil && p.known.err == nil {
			p.known.err = fmt.Errorf("%s: %w", fact.Package.Path(), err)
		}
		f(interfaces, loops)
	}
}

// exportUnresolved publishes the methods of interfaces that the package calls and
// its open loops.
func (c *collector) exportUnresolved() {
	loops := c.openLoops()
	if len(loops) > 0 || len(c.demanded) > 0 {
		c.pass.ExportPackageFact(encodeUnresolved(c.demanded, loops))
	}
}

func encodeUnresolved(interfaces map[string]abstract, loops []openLoop) *Unresolved {
	w := &factWriter{index: make(map[string]uint64)}
	w.number(uint64(len(interfaces)))
	for _, name := range slices.Sorted(maps.Keys(interfaces)) {
		w.abstract(interfaces[name])
	}
	w.number(uint64(len(loops)))
	for _, open := range loops {
		w.text(open.name)
		w.loop(open.loop)
		w.number(uint64(len(open.kinds)))
		for _, kind := range open.kinds {
			w.text(string(kind))
		}
		w.number(uint64(len(open.calls)))
		for _, call := range open.calls {
			w.hops([]chain.Hop{call.at})
			w.number(uint64(call.length))
			w.paths([]Path{call.path})
		}
	}
	return &Unresolved{w.finish()}
}

func (w *factWriter) abstract(a abstract) {
	w.text(a.name)
	w.text(a.key)
	w.number(uint64(a.limit))
	w.flag(a.part)
	w.number(uint64(len(a.methods)))
	for _, key := range a.methods {
		w.text(key)
	}
}

func (f *Unresolved) decode() (interfaces []abstract, loops []openLoop, err error) {
	r, err := newFactReader(f.Data)
	if err != nil {
		return nil, nil, fmt.Errorf("decoding what loops call: %w", err)
	}
	for range r.count() {
		a := abstract{name: r.text(), key: r.text(), limit: int(r.number()), part: r.flag()}
		for range r.count() {
			a.methods = append(a.methods, r.text())
		}
		interfaces = append(interfaces, a)
	}
	for range r.count() {
		open := openLoop{name: r.text(), loop: r.loop()}
		for range r.count() {
			open.kinds = append(open.kinds, roots.Kind(r.text()))
		}
		for range r.count() {
			hops, length, paths := r.hops(), int(r.number()), r.paths()
			if len(hops) == 1 && len(paths) == 1 {
				open.calls = append(open.calls, openCall{hops[0], length, paths[0]})
			}
		}
		loops = append(loops, open)
	}
	if err := r.finish(); err != nil {
		return nil, nil, fmt.Errorf("decoding what loops call: %w", err)
	}
	return interfaces, loops, nil
}
