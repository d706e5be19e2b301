package loopblock

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// brokenPromises returns the functions that say, themselves or through an
// interface that they implement, that they never block, and do.
func (p *program) brokenPromises() []finding {
	var list []finding
	for _, n := range p.nodes {
		if v := p.verdict(n); v != nil && !v.silent && len(v.blocks) == 0 && !v.trust {
			list = append(list, p.broken(n, n.name+" says it never blocks")...)
		}
	}
	for _, i := range p.promised() {
		list = append(list, p.brokenBy(i)...)
	}
	return list
}

// broken returns the ways on which a function blocks, at its declaration.
func (p *program) broken(n *node, clause string) []finding {
	pos, end := n.declaration()
	if p.marker(pos) != nil {
		return nil
	}
	var list []finding
	for _, way := range n.ways {
		if way.kind == "" || way.kind == roots.Self {
			continue
		}
		list = append(list, finding{pos: pos, end: end, path: p.path(n, way), category: Category, clause: clause})
	}
	return list
}

// declaration returns where a function is declared: its name, or the word func.
func (n *node) declaration() (pos, end token.Pos) {
	if n.obj != nil {
		return n.decl.Name.Pos(), n.decl.Name.End()
	}
	return n.lit.Pos(), n.lit.Type.End()
}

// A promise is an interface's method that says it never blocks.
type promise struct {
	iface  *types.Interface
	method *types.Func
	name   string
}

// promised returns the promises of this package's interfaces, and of those that
// its imports' facts tell of.
func (p *program) promised() []promise {
	var list []promise
	for fn, v := range p.directed.verdicts {
		if !v.silent && len(v.blocks) == 0 && symbols.IsAbstract(fn) {
			list = appendPromise(list, fn)
		}
	}
	for _, pkg := range p.pass.Pkg.Imports() {
		known := p.known.of(pkg)
		if known == nil {
			continue
		}
		for key, summary := range known.summaries {
			if summary.param(self, Nonblocking) == nil {
				continue
			}
			owner, name, _ := strings.Cut(key, ".")
			if t := pkg.Scope().Lookup(owner); t != nil {
				obj, _, _ := types.LookupFieldOrMethod(t.Type(), true, pkg, name)
				if fn, ok := obj.(*types.Func); ok && symbols.IsAbstract(fn) {
					list = appendPromise(list, fn)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b promise) int { return strings.Compare(a.name, b.name) })
	return list
}

func appendPromise(list []promise, fn *types.Func) []promise {
	iface, ok := fn.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return list
	}
	return append(list, promise{iface, fn, rootName(fn)})
}

// brokenBy returns the methods of this package that break a promise.
func (p *program) brokenBy(promise promise) []finding {
	var list []finding
	for _, n := range p.nodes {
		if n.obj == nil || n.obj.Name() != promise.method.Name() || n.sig.Recv() == nil || len(n.ways) == 0 {
			continue
		}
		if v := p.verdict(n); v != nil && v.trust {
			continue
		}
		recv := n.sig.Recv().Type()
		if types.Implements(recv, promise.iface) || types.Implements(types.NewPointer(recv), promise.iface) {
			list = append(list, p.broken(n, fmt.Sprintf("%s implements %s, which says it never blocks,", n.name, promise.name))...)
		}
	}
	return list
}

// used returns the markers that silence something, and the directives.
func (p *program) used() marker.Used {
	used := p.directed.used
	for _, n := range p.nodes {
		for _, s := range n.steps {
			if s.marker != nil && !used[s.marker.Pos] {
				p.each(s, func(way reach) {
					used[s.marker.Pos] = true // of an interface's method an importer may know more
				})
			}
		}
	}
	return used
}

// hasSends reports whether any function has a send that nothing races with.
func (p *program) hasSends() bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool {
		return slices.ContainsFunc(n.steps, func(s *step) bool { return s.sendTo != nil })
	})
}

// receivingNodes returns the functions that receive from a channel.
func (p *program) receivingNodes(channel types.Object) []*node {
	var list []*node
	for _, n := range p.nodes {
		found := false
		ast.Inspect(n.body, func(syntax ast.Node) bool {
			switch s := syntax.(type) {
			case *ast.FuncLit:
				return false
			case *ast.UnaryExpr:
				found = found || s.Op == token.ARROW && p.place(s.X) == channel
			case *ast.RangeStmt:
				found = found || p.place(s.X) == channel
			}
			return !found
		})
		if found {
			list = append(list, n)
		}
	}
	return list
}
