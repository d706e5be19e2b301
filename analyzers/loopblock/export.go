package loopblock

import (
	"go/types"
	"maps"
	"slices"
)

// export publishes what importers need to know of this package.
func (c *collector) export() {
	if c.pass.Pkg.Name() == "main" || isStandard(c.pass.Pkg.Path(), c.known.module) {
		return
	}
	summaries := make(map[string]*Summary)
	onLoop := c.calledOnLoop() // first: it adds to the parameters that end up on a loop
	c.exportFunctions(summaries)
	owners := c.fieldOwners()
	c.exportVariables(summaries, owners, onLoop)
	c.exportDirectives(summaries, owners)
	if c.isDependency() {
		c.exportInterfaces(summaries)
	} else {
		c.exportUnresolved()
	}
	for key, summary := range summaries {
		if summary.empty() {
			delete(summaries, key)
		}
	}
	if len(summaries) > 0 {
		c.pass.ExportPackageFact(encodeSummaries(summaries))
	}
	if implementations := c.exportImplementations(); implementations != nil {
		c.pass.ExportPackageFact(implementations)
	}
}

func at(summaries map[string]*Summary, key string) *Summary {
	if summaries[key] == nil {
		summaries[key] = new(Summary)
	}
	return summaries[key]
}

// exportFunctions adds the functions and methods that another package can name:
// unexported methods too, through a promoted or generic call.
func (c *collector) exportFunctions(summaries map[string]*Summary) {
	for _, n := range c.nodes {
		if n.obj == nil || n.obj.Name() == "init" || n.obj.Name() == "_" || !n.obj.Exported() {
			continue
		}
		s := at(summaries, functionKey(n.obj))
		if v := c.directed.of(n.obj); v != nil {
			s.Paths = verdictPaths(v)
		} else {
			s.Paths = c.paths(n)
		}
		s.Params = c.exportedParams(n)
		s.Results = c.exportedResults(n)
	}
}

func verdictPaths(v *verdict) []Path {
	var paths []Path
	for _, b := range v.blocks {
		paths = append(paths, Path{Kind: b.kind, Root: b.name, Loop: b.loop})
	}
	return paths
}

func (c *collector) exportedParams(n *node) []Param {
	var params []Param
	for i := range n.sig.Params().Len() {
		param := n.sig.Params().At(i)
		if c.directed.off[param] {
			params = append(params, Param{Index: i, Role: OffLoop})
			continue
		}
		if loop, ok := c.given[param]; ok {
			params = append(params, Param{Index: i, Role: OnLoop, Loop: loop})
			continue
		}
		if use := n.called[param]; use != nil {
			p := Param{Index: i, Role: Synchronous, Once: use.once}
			for _, h := range use.hops {
				p.Hops = append(p.Hops, c.hop(h))
			}
			params = append(params, p)
		}
	}
	return params
}

// exportedResults returns what the functions that a function returns wait for.
// Those that by their type run elsewhere are for nobody to call.
func (c *collector) exportedResults(n *node) [][]Path {
	var results [][]Path
	for i := range n.sig.Results().Len() {
		paths := c.valuePaths(c.returnedBy(n, i))
		if len(paths) == 0 {
			continue
		}
		for len(results) <= i {
			results = append(results, nil)
		}
		results[i] = paths
	}
	return results
}

// valuePaths returns what calling one of several functions waits for.
func (c *collector) valuePaths(values []value) []Path {
	var all []Path
	for _, v := range values {
		for _, t := range c.targets(v) {
			if len(t.via) > 0 {
				continue // importers resolve it themselves
			}
			paths := t.paths
			if t.node != nil {
				paths = c.paths(t.node)
			}
			for _, path := range paths {
				path.Once = path.Once || v.once
				all = append(all, path)
			}
		}
	}
	return shortest(all)
}

// shortest returns the shortest path for each reason, by reason.
func shortest(paths []Path) []Path {
	best := make(map[reason]Path)
	for _, path := range paths {
		if known, ok := best[path.reason()]; !ok || len(path.Hops) < len(known.Hops) {
			best[path.reason()] = path
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b Path) int { return a.reason().compare(b.reason()) })
}

// exportVariables adds the variables and fields that hold functions: what
// calling them waits for, and whether a loop calls them.
func (c *collector) exportVariables(summaries map[string]*Summary, owners map[*types.Var]string, onLoop *loopFields) {
	for _, obj := range c.holders {
		c.exportVariable(summaries, owners, onLoop, obj.(*types.Var))
	}
	for _, v := range onLoop.order {
		c.exportVariable(summaries, owners, onLoop, v)
	}
}

func (c *collector) exportVariable(summaries map[string]*Summary, owners map[*types.Var]string, onLoop *loopFields, v *types.Var) {
	key := c.variableKey(owners, v)
	if key == "" || summaries[key] != nil {
		return
	}
	s := &Summary{Paths: c.valuePaths(c.stored(v))}
	if loop, ok := onLoop.loops[v]; ok {
		s.Params = []Param{{Index: self, Role: OnLoop, Loop: loop}}
	}
	if !s.empty() {
		summaries[key] = s
	}
}

// variableKey returns the key of a variable or field that importers can name, or "".
func (c *collector) variableKey(owners map[*types.Var]string, v *types.Var) string {
	switch {
	case v.Pkg() == nil || !v.Exported():
		return ""
	case v.Pkg() != c.pass.Pkg:
		return c.foreignKey(v)
	case v.IsField():
		if owner := owners[v]; owner != "" {
			return owner + "." + v.Name()
		}
		return ""
	case v.Parent() == c.pass.Pkg.Scope():
		return v.Name()
	}
	return ""
}

// foreignKey returns the key of a field of another package of this module: what
// is stored there here, whoever calls it there wants to know.
func (c *collector) foreignKey(v *types.Var) string {
	if !v.IsField() || !c.isOurs(v.Pkg()) {
		return ""
	}
	if owner := fieldOwner(v); owner != nil {
		return foreignKey(v, owner)
	}
	return ""
}

// foreignKey names a field of another package in a package's fact.
func foreignKey(field *types.Var, owner *types.Named) string {
	return "=" + field.Pkg().Path() + "." + owner.Obj().Name() + "." + field.Name()
}

// fieldOwners returns the struct types of the package by their fields.
func (c *collector) fieldOwners() map[*types.Var]string {
	owners := make(map[*types.Var]string)
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		if structure, ok := t.Type().Underlying().(*types.Struct); ok {
			for field := range structure.Fields() {
				owners[field] = name
			}
		}
	}
	return owners
}

// exportDirectives adds what directives say of fields, named types and methods
// of interfaces.
func (c *collector) exportDirectives(summaries map[string]*Summary, owners map[*types.Var]string) {
	for obj, loop := range c.directed.loops {
		if key := c.directiveKey(owners, obj); key != "" {
			s := at(summaries, key)
			if s.param(self, OnLoop) == nil {
				s.Params = append([]Param{{Index: self, Role: OnLoop, Loop: loop}}, s.Params...)
			}
		}
	}
	for obj := range c.directed.off {
		if key := c.directiveKey(owners, obj); key != "" {
			s := at(summaries, key)
			s.Params = append([]Param{{Index: self, Role: OffLoop}}, s.Params...)
		}
	}
	for _, fn := range c.directed.abstract {
		c.exportAbstract(at(summaries, functionKey(fn)), fn)
	}
}

// exportAbstract adds what directives say of an interface's method.
func (c *collector) exportAbstract(s *Summary, fn *types.Func) {
	s.Params = nil
	if v := c.directed.verdicts[fn]; v != nil && !v.silent {
		s.Paths = verdictPaths(v)
		if len(v.blocks) == 0 {
			s.Params = append(s.Params, Param{Index: self, Role: Nonblocking})
		}
	}
	for i := range fn.Signature().Params().Len() {
		param := fn.Signature().Params().At(i)
		if loop, ok := c.directed.loops[param]; ok {
			s.Params = append(s.Params, Param{Index: i, Role: OnLoop, Loop: loop})
		} else if c.directed.off[param] {
			s.Params = append(s.Params, Param{Index: i, Role: OffLoop})
		}
	}
}

// maxHidden is how many implementations a dependency's interface may have among
// its own packages for calls of it to be followed by other modules.
const maxHidden = 3

// exportInterfaces adds what the methods of a dependency's interfaces wait for,
// as far as its own packages implement them: of this package's interfaces, and of
// those of the packages that it imports, because it may be the one that joins
// them to their implementations. Who uses the library sees only the interfaces.
func (c *collector) exportInterfaces(summaries map[string]*Summary) {
	c.exportInterfacesOf(c.pass.Pkg, summaries)
	for _, pkg := range c.pass.Pkg.Imports() {
		if c.isOurs(pkg) {
			c.exportInterfacesOf(pkg, summaries)
		}
	}
}

func (c *collector) exportInterfacesOf(pkg *types.Package, summaries map[string]*Summary) {
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || !t.Exported() {
			continue
		}
		iface, ok := t.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for m := range iface.Methods() {
			if paths := c.hidden(t, m); len(paths) > 0 {
				at(summaries, hiddenKey(t, m)).Paths = paths
			}
		}
	}
}

// hiddenKey names in a fact what the method of an interface waits for.
func hiddenKey(owner *types.TypeName, m *types.Func) string {
	return "~" + owner.Pkg().Path() + "." + owner.Name() + "." + m.Name()
}

// hidden returns what the implementations of a method wait for, if there are few.
func (c *collector) hidden(t *types.TypeName, m *types.Func) []Path {
	a, ok := c.abstractOf(m, t.Type())
	if !ok {
		return nil
	}
	own, others, _ := c.implementers(a)
	if len(own)+len(others) > maxHidden {
		return nil
	}
	var paths []Path
	for _, fn := range own {
		paths = append(paths, c.methodPaths(fn)...)
	}
	for _, summary := range others {
		paths = append(paths, summary.Paths...)
	}
	paths = slices.DeleteFunc(paths, func(p Path) bool { return p.Kind == "" || len(p.Hops) >= c.options.depth })
	return shortest(paths)
}

func (c *collector) directiveKey(owners map[*types.Var]string, obj types.Object) string {
	switch obj := obj.(type) {
	case *types.TypeName:
		return obj.Name()
	case *types.Var:
		return c.variableKey(owners, obj)
	}
	return ""
}
