package loopblock

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// Implementations is the fact about a package that tells which of its types have
// methods that block, or do something with functions that they are given. It is what a call through an interface is resolved with,
// in packages that import the type's package at any distance.
type Implementations struct{ Data []byte }

// AFact marks Implementations as a fact of the go/analysis framework.
func (*Implementations) AFact() {}

// Transitive says that the fact is wanted by all packages of the module that
// depend on this one, and not only where the types of its imports lead.
func (*Implementations) Transitive() {}

func (f *Implementations) String() string {
	list, err := f.decode()
	if err != nil {
		return err.Error()
	}
	var names []string
	for _, i := range list {
		names = append(names, i.name+"("+strings.Join(slices.Sorted(maps.Keys(i.known)), ", ")+")")
	}
	return "implements: " + strings.Join(names, " ")
}

// An implementer is a concrete type with methods that matter.
type implementer struct {
	name    string                 // with the path of its package
	methods map[string]bool        // all, as methodKey names them
	known   map[string]*Summary    // of a foreign type, those that matter
	funcs   map[string]*types.Func // of a type of this package, all
}

func (i *implementer) implements(methods []string) bool {
	for _, m := range methods {
		if !i.methods[m] {
			return false
		}
	}
	return true
}

func (p *program) loadImplementers() {
	p.loaded = true
	p.local = p.localImplementers()
	for _, fact := range p.pass.AllPackageFacts() {
		implementations, ok := fact.Fact.(*Implementations)
		if !ok || fact.Package == p.pass.Pkg || fact.Package.Path() == p.pass.Pkg.Path() || !p.isOurs(fact.Package) {
			continue
		}
		list, err := implementations.decode()
		if err != nil && p.known.err == nil {
			p.known.err = fmt.Errorf("%s: %w", fact.Package.Path(), err)
		}
		p.foreign = append(p.foreign, list...)
	}
	p.distant = p.distantInterfaces()
	slices.SortStableFunc(p.foreign, func(a, b *implementer) int { return cmp.Compare(a.name, b.name) })
}

// localImplementers returns the package's own types that have methods. Those
// that stand in for others in tests are left out.
func (p *program) localImplementers() []*implementer {
	if isForTests(p.pass.Pkg.Path()) {
		return nil
	}
	var list []*implementer
	scope := p.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || isStandIn(name) {
			continue
		}
		if i := newImplementer(t); i != nil {
			list = append(list, i)
		}
	}
	return list
}

func newImplementer(t *types.TypeName) *implementer {
	named, ok := t.Type().(*types.Named)
	if !ok || types.IsInterface(named) {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(named))
	if set.Len() == 0 {
		return nil
	}
	i := &implementer{
		name:    t.Pkg().Path() + "." + t.Name(),
		methods: make(map[string]bool),
		funcs:   make(map[string]*types.Func),
	}
	for selection := range set.Methods() {
		fn, ok := selection.Obj().(*types.Func)
		if !ok {
			continue
		}
		key := methodKey(fn)
		i.methods[key] = true
		i.funcs[key] = fn.Origin()
	}
	return i
}

// standIns are words in the names of what stands in for others in tests.
var standIns = []string{"mock", "fake", "stub", "dummy"}

func isStandIn(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(standIns, func(word string) bool { return strings.Contains(name, word) })
}

// isForTests reports whether a package is one of stand-ins and helpers.
func isForTests(path string) bool {
	if isStandIn(path) {
		return true
	}
	for element := range strings.SplitSeq(path, "/") {
		if strings.HasSuffix(element, "test") && !strings.HasSuffix(element, "atest") ||
			strings.HasSuffix(element, "testing") || strings.HasPrefix(element, "testutil") {
			return true
		}
	}
	return false
}

// exportImplementations returns the fact about the package's types, or nil.
func (c *collector) exportImplementations() *Implementations {
	if !c.loaded {
		c.loadImplementers()
	}
	var list []*implementer
	for _, i := range c.local {
		i.known = make(map[string]*Summary)
		for key, fn := range i.funcs {
			if summary := c.methodSummary(fn); !summary.empty() {
				i.known[key] = summary
			}
		}
		if len(i.known) > 0 {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return encodeImplementations(list)
}

func (c *collector) methodSummary(fn *types.Func) *Summary {
	summary := &Summary{Paths: c.methodPaths(fn)}
	if n := c.declared[fn]; n != nil {
		summary.Params = c.exportedParams(n)
	}
	return summary
}

// methodPaths returns what a method of one of the package's types waits for;
// the method may be that of an embedded type of another package.
func (p *program) methodPaths(fn *types.Func) []Path {
	if n := p.declared[fn]; n != nil {
		return p.paths(n)
	}
	if symbols.IsAbstract(fn) {
		return nil
	}
	var paths []Path
	for _, t := range p.targets(value{fn: fn}) {
		if len(t.via) == 0 {
			paths = append(paths, t.paths...)
		}
	}
	return paths
}

func encodeImplementations(list []*implementer) *Implementations {
	w := &factWriter{index: make(map[string]uint64)}
	w.number(uint64(len(list)))
	for _, i := range list {
		w.text(i.name)
		w.number(uint64(len(i.methods)))
		for _, key := range slices.Sorted(maps.Keys(i.methods)) {
			w.text(key)
			known := i.known[key]
			if known == nil {
				known = new(Summary)
			}
			w.summary(known)
		}
	}
	return &Implementations{w.finish()}
}

func (f *Implementations) decode() ([]*implementer, error) {
	r, err := newFactReader(f.Data)
	if err != nil {
		return nil, fmt.Errorf("decoding which types block: %w", err)
	}
	var list []*implementer
	for range r.count() {
		i := &implementer{name: r.text(), methods: make(map[string]bool), known: make(map[string]*Summary)}
		for range r.count() {
			key := r.text()
			i.methods[key] = true
			if known := r.summary(); !known.empty() {
				i.known[key] = known
			}
		}
		list = append(list, i)
	}
	if err := r.finish(); err != nil {
		return nil, fmt.Errorf("decoding which types block: %w", err)
	}
	return list, nil
}
