package loopblock

import (
	"slices"
	"strconv"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// A reach is the shortest way on which a function comes to blocking work.
type reach struct {
	reason
	depth int    // functions on the way, its own included
	step  *step  // where it begins
	via   []hop  // functions between the step and what follows
	node  *node  // the next function of this package, or nil
	next  *reach // the way on from there
	path  *Path  // the rest, if another package or a table knows it
	send  *step  // the send that waits for its own loop
}

// A hop is a function on a way: one of this package at one of its steps, or one
// of another package as its fact shows it.
type hop struct {
	node    *node
	step    *step
	foreign *chain.Hop
}

func foreignHops(list []chain.Hop) []hop {
	hops := make([]hop, len(list))
	for i := range list {
		hops[i].foreign = &list[i]
	}
	return hops
}

func (p *program) hop(h hop) chain.Hop {
	if h.foreign != nil {
		return *h.foreign
	}
	return chain.At(p.pass.Fset, h.step.namePos(), h.node.name)
}

// A ways is a function's ways to blocking work, one for each reason, in the
// order of their depth.
type ways []*reach

func (w ways) find(r reason) *reach {
	for _, way := range w {
		if way.reason == r {
			return way
		}
	}
	return nil
}

// solve finds the shortest way of every function to every reason. Depth by
// depth, so that recursion ends: what was found nearer stays.
func (p *program) solve() {
	var busy []*node
	for _, n := range p.nodes {
		for _, s := range n.steps {
			if s.roots != nil || s.sendTo != nil || len(s.targets) > 0 {
				n.busy = append(n.busy, s)
			}
		}
		if len(n.busy) > 0 {
			busy = append(busy, n)
		}
	}
	for depth := 1; depth <= p.options.depth+1; depth++ {
		for _, n := range busy {
			for _, s := range n.busy {
				if s.marker == nil {
					p.extend(n, s, depth)
				}
			}
		}
	}
}

// How many calls of interfaces' methods are handed on to importers of a function,
// and from how deep. Importers may know implementations that this package does
// not; the nearest calls are the ones that matter.
const (
	maxAbstract      = 12
	maxAbstractDepth = 4
)

// extend adds what a step reaches at exactly the depth.
func (p *program) extend(n *node, s *step, depth int) {
	p.each(s, func(way reach) {
		if way.depth != depth || n.ways.find(way.reason) != nil {
			return
		}
		if way.kind == "" {
			if depth > maxAbstractDepth || n.abstract == maxAbstract {
				return
			}
			n.abstract++
		}
		n.ways = append(n.ways, &way)
	})
}

// each calls f with every way that begins at a step.
func (p *program) each(s *step, f func(reach)) {
	for _, b := range s.roots {
		path := &Path{Kind: b.kind, Root: b.name, Loop: b.loop}
		f(reach{reason: path.reason(), depth: 1, step: s, path: path})
	}
	if s.sendTo != nil && p.options.on(roots.Self) {
		f(reach{reason: s.sendReason(), depth: 1, step: s, send: s})
	}
	for i := range s.targets {
		p.eachOf(s, &s.targets[i], f)
	}
}

func (p *program) eachOf(s *step, t *target, f func(reach)) {
	before := 1 + len(t.via)
	for i := range t.paths {
		path := &t.paths[i]
		if path.Kind != "" && !p.options.on(path.Kind) {
			continue
		}
		r := path.reason()
		r.once = r.once || t.once
		f(reach{reason: r, depth: before + len(path.Hops), step: s, via: t.via, path: path})
	}
	if t.node == nil {
		return
	}
	for _, next := range t.node.ways {
		r := next.reason
		r.once = r.once || t.once
		f(reach{reason: r, depth: before + next.depth, step: s, via: t.via, node: t.node, next: next})
	}
}

// sendReason tells the sends to one channel from those to another.
func (s *step) sendReason() reason {
	return reason{kind: roots.Self, loop: sendPrefix + strconv.Itoa(int(s.sendTo.Pos()))}
}

// sendPrefix begins the name of what is no framework's loop, but a channel of
// this package.
const sendPrefix = "<-"

// path spells a way out, the function's own hop first.
func (p *program) path(n *node, way *reach) Path {
	rest := p.rest(way)
	rest.Hops = append([]chain.Hop{p.hop(hop{node: n, step: way.step})}, rest.Hops...)
	return rest
}

// rest spells out what follows the step at which a way begins.
func (p *program) rest(way *reach) Path {
	var rest Path
	switch {
	case way.send != nil:
		rest = Path{Kind: roots.Self, Root: "a send to a channel that only this loop receives from"}
	case way.node != nil:
		rest = p.path(way.node, way.next)
	default:
		rest = *way.path
	}
	rest.Once = way.once
	via := make([]chain.Hop, 0, len(way.via)+len(rest.Hops))
	for _, h := range way.via {
		via = append(via, p.hop(h))
	}
	rest.Hops = append(via, rest.Hops...)
	return rest
}

// paths spells out a function's ways, without those that only this package can
// make use of. A way that is gone the first time only is left out where
// another one is always gone, and in a dependency: how a library comes to know
// its terminal is nobody's to change here.
func (p *program) paths(n *node) []Path {
	var list []Path
	for _, way := range n.ways {
		if len(way.loop) > 0 && way.loop[:1] == sendPrefix[:1] || way.depth > p.options.depth {
			continue
		}
		steady := way.reason
		steady.once = false
		if way.once && (p.isDependency() || n.ways.find(steady) != nil) {
			continue
		}
		list = append(list, p.path(n, way))
	}
	slices.SortFunc(list, func(a, b Path) int { return a.reason().compare(b.reason()) })
	return list
}

// isDependency reports whether the package is of another module than the one
// under development.
func (p *program) isDependency() bool {
	return p.pass.Module != nil && p.pass.Module.Version != ""
}
