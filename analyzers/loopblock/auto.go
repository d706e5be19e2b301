package loopblock

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// maxAdviceDepth bounds the chains that advice is given for. What is deeper in
// a loop that nobody declared is mostly its shut-down.
const maxAdviceDepth = 6

// alwaysAdvised are the kinds that no loop with events to answer should wait for.
// The others are what many loops are there for: only loops that others wait for
// an answer from, or that have several sources, are advised on them.
var alwaysAdvised = []roots.Kind{roots.Net, roots.DNS, roots.Exec, roots.Sleep, roots.DB}

// advice returns what hand-written loops wait for that look like event loops:
// for-select loops with several sources of events, of which only some block.
// Each is asked to say what it is.
func (c *collector) advice() []finding {
	pooled := c.pooled()
	var list []finding
	for _, n := range c.nodes {
		if c.exempt(n, pooled) {
			continue
		}
		inspectLoops(n.body, func(loop ast.Stmt, body *ast.BlockStmt) {
			forLoop, ok := loop.(*ast.ForStmt)
			if !ok || counts(forLoop) || c.isEntry(n, loop) {
				return
			}
			list = append(list, c.advise(n, forLoop)...)
		})
	}
	return list
}

// counts reports whether a loop goes on until it has counted or received enough.
func counts(loop *ast.ForStmt) bool {
	return loop.Cond != nil && (loop.Init != nil || loop.Post != nil)
}

func (c *collector) isEntry(n *node, loop ast.Stmt) bool {
	return slices.ContainsFunc(c.entries, func(e *entry) bool {
		return e.node == n && (e.body == nil || e.body == loop)
	})
}

// advise returns the advice for one loop, if there is any to give.
func (c *collector) advise(n *node, loop *ast.ForStmt) []finding {
	selection, within := c.selectOf(n, loop)
	if selection == nil {
		return nil
	}
	s := c.shapeOf(selection)
	if !s.candidate() {
		return nil
	}
	last := farewells(loop.Body)
	best := make(map[roots.Kind]*reach)
	for _, where := range within {
		for _, step := range where.steps {
			if step.marker != nil || step.away || where == n && (!inside(loop, step.pos) || insideAny(last, step.pos)) {
				continue
			}
			c.adviseStep(s, step, best)
		}
	}
	if s.events < manyEvents {
		s.dropPurpose(c, within[len(within)-1], best)
	}
	if len(best) == 0 {
		return nil
	}
	return []finding{c.adviceOn(n, loop, s, best)}
}

// farewells returns the cases and blocks of a loop after which it is over: what
// they do is done once, when nobody asks for more.
func farewells(body *ast.BlockStmt) []ast.Node {
	var list []ast.Node
	labels := make(map[string]bool) // of what stands in the loop: a break from there stays in it
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			labels[n.Label.Name] = true
		case *ast.CommClause:
			if leaves(n.Body, labels) {
				list = append(list, n)
			}
		case *ast.BlockStmt:
			if leaves(n.List, labels) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

func leaves(list []ast.Stmt, inner map[string]bool) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && last.Label != nil && !inner[last.Label.Name]
	}
	return false
}

func insideAny(nodes []ast.Node, pos token.Pos) bool {
	return slices.ContainsFunc(nodes, func(n ast.Node) bool { return inside(n, pos) })
}

func (c *collector) adviseStep(s *shape, step *step, best map[roots.Kind]*reach) {
	c.each(step, func(way reach) {
		if way.kind == "" || way.kind == roots.Self || way.once || way.depth > maxAdviceDepth+1 {
			return
		}
		if !s.strong() && s.events < severalEvents && !slices.Contains(alwaysAdvised, way.kind) {
			return
		}
		if known := best[way.kind]; known == nil || way.shorter(known) {
			best[way.kind] = &way
		}
	})
}

// adviceOn puts the shortest chain into words.
func (c *collector) adviceOn(n *node, loop *ast.ForStmt, s *shape, best map[roots.Kind]*reach) finding {
	var way *reach
	var others []string
	for _, kind := range roots.Kinds() {
		if best[kind] != nil && (way == nil || best[kind].shorter(way)) {
			way = best[kind]
		}
	}
	for _, kind := range roots.Kinds() {
		if best[kind] != nil && best[kind] != way {
			others = append(others, string(kind))
		}
	}
	path := c.rest(way)
	at := c.hop(hop{node: n, step: way.step})
	path.Hops = slices.Insert(path.Hops, 0, at)
	clause := fmt.Sprintf("the loop of %s looks like an event loop (%s)", n.name, s.describe())
	if others != nil {
		clause += ", may wait on " + strings.Join(others, ", ")
	}
	return finding{
		pos: loop.Pos(), end: loop.For + token.Pos(len("for")), path: path, category: Advice, clause: clause,
		after: "; say what it is: //holdfast:loop or //holdfast:worker",
	}
}

func (s *shape) describe() string {
	text := fmt.Sprintf("%d event sources", s.events)
	if s.events == 1 {
		text = "1 event source"
	}
	if s.ticks > 0 {
		text += ", a timer"
	}
	if s.answers {
		text += ", callers that wait for answers"
	}
	return text
}

const (
	// severalEvents is the number of sources from which on a loop is advised on
	// every kind. Writers of one file have two: what to write, and when to flush.
	severalEvents = 3

	// manyEvents is the number of sources from which on a loop is there for them,
	// however many of its cases come to the same disk.
	manyEvents = 5
)

// dropPurpose leaves out what the loop is there for. Where callers wait for
// answers, that is what all cases wait for; elsewhere what more than half of them
// wait for, and everything if more than two thirds wait for something or other.
// The two thirds tell the appliers of one stream from the monitor of a cluster.
func (s *shape) dropPurpose(c *collector, n *node, best map[roots.Kind]*reach) {
	waiting := 0
	of := make(map[roots.Kind]int)
	for _, clause := range s.cases {
		kinds := c.kindsIn(n, clause)
		for kind := range kinds {
			of[kind]++
		}
		if len(kinds) > 0 {
			waiting++
		}
	}
	for kind := range best {
		most := 2*of[kind] > len(s.cases) || 3*waiting > 2*len(s.cases)
		if s.answers && of[kind] == len(s.cases) || !s.answers && most {
			delete(best, kind)
		}
	}
}

// kindsIn returns what the steps of a function that stand in a clause may wait for.
func (c *collector) kindsIn(n *node, clause ast.Node) map[roots.Kind]bool {
	kinds := make(map[roots.Kind]bool)
	for _, step := range n.steps {
		if inside(clause, step.pos) && step.marker == nil && !step.away {
			c.each(step, func(way reach) {
				if way.kind != "" && way.kind != roots.Self && !way.once {
					kinds[way.kind] = true
				}
			})
		}
	}
	return kinds
}

// selectOf returns the select statement of a loop, and the functions whose steps
// are the loop's: the select stands at the top of its body, or of the one
// function of this package that the body is there to call.
func (c *collector) selectOf(n *node, loop *ast.ForStmt) (*ast.SelectStmt, []*node) {
	if s := topSelect(loop.Body); s != nil {
		return s, []*node{n}
	}
	for _, step := range n.steps {
		if step.fn == nil || !inside(loop.Body, step.pos) {
			continue
		}
		if callee := c.declared[step.fn]; callee != nil && callee != n {
			if s := topSelect(callee.body); s != nil && len(s.Body.List) >= 3 {
				return s, []*node{n, callee}
			}
		}
	}
	return nil, nil
}

// topSelect returns the select statement at the top of a body that receives from
// most: one before it may only look whether to go on, one behind it only send.
func topSelect(body *ast.BlockStmt) *ast.SelectStmt {
	var main *ast.SelectStmt
	most := -1
	for _, statement := range body.List {
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		if s, ok := statement.(*ast.SelectStmt); ok && sources(s) > most {
			main, most = s, sources(s)
		}
	}
	return main
}

func sources(s *ast.SelectStmt) int {
	n := 0
	for _, clause := range s.Body.List {
		if received(clause.(*ast.CommClause).Comm) != nil {
			n++
		}
	}
	return n
}
