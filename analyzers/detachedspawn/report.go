package detachedspawn

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
)

// A finding is one place that detaches a child, before markers are looked at.
type finding struct {
	pos, end  token.Pos
	statement token.Pos   // where a marker may stand as well
	hops      []chain.Hop // from here to the source; none for a source itself
	clause    string      // what happens, without advice
	waits     string      // name of the function that waits for the child, if one does
	repair    string      // what to do instead of saying why; empty: start the child with owned.Start
	owned     bool        // stands in a function that owns what it starts
}

// reportSource notes a finding at a source and returns its origin.
func (w *walker) reportSource(s source, pos, end token.Pos) *origin {
	s.pos, s.end = pos, end
	verb := s.effect
	if s.may {
		verb = may(s.effect)
	}
	w.add(finding{pos: pos, end: end, clause: s.text + " " + verb, repair: s.repair})
	return w.sourceOrigin(s)
}

// reportUse notes a finding at the use of something whose fact detaches.
func (w *walker) reportUse(node, named ast.Node, o *origin) {
	if lit, ok := named.(*ast.FuncLit); ok && lit != nil {
		return
	}
	pos := w.namePos(node, named)
	w.add(finding{pos: pos, end: node.End(), hops: o.hops, clause: o.effect})
}

func (w *walker) reportMaybe(node ast.Node, o *origin) {
	w.add(finding{pos: node.Pos(), end: node.End(), hops: o.hops, clause: may(o.effect)})
}

// namePos returns the position of the name in a call chain that runs over
// several lines, and of the whole expression otherwise.
func (w *walker) namePos(node, named ast.Node) token.Pos {
	sel, ok := named.(*ast.SelectorExpr)
	if !ok || w.line(sel.Sel.Pos()) == w.line(node.Pos()) {
		return node.Pos()
	}
	return sel.Sel.Pos()
}

func (w *walker) line(pos token.Pos) int {
	return w.fset.PositionFor(pos, false).Line
}

// may turns "starts the child in …" into "may start the child in …".
func may(effect string) string {
	verb, rest, _ := strings.Cut(effect, " ")
	switch verb {
	case "is", "lets", "makes", "starts", "puts", "cuts", "moves", "leaves", "gives":
		return "may " + strings.TrimSuffix(verb, "s") + " " + rest
	}
	return "may detach the child: it " + effect
}

// compare orders the findings of one place: a source before uses, uses by
// where their source is written.
func (f *finding) compare(g *finding) int {
	if len(f.hops) == 0 || len(g.hops) == 0 {
		return cmp.Compare(len(f.hops), len(g.hops))
	}
	return compareHops(f.hops[len(f.hops)-1], g.hops[len(g.hops)-1])
}

func compareHops(a, b chain.Hop) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

type findingKey struct{ pos, end token.Pos }

func (w *walker) add(f finding) {
	key := findingKey{f.pos, f.end}
	if w.findings[key] != nil {
		return
	}
	f.statement = w.statement()
	f.owned = w.inOwned()
	if f.repair == "" && w.waited() && !w.shapesForOthers() {
		f.waits = w.currentName()
	}
	w.findings[key] = &f
}

// inOwned reports whether the node stands in a function that owns what it starts,
// and notes that its directive mattered.
func (w *walker) inOwned() bool {
	for f := w.current; f != nil; f = f.outer {
		if pos, ok := w.owned[f.object]; ok && f.object != nil {
			w.usedOwns[pos] = true
			return true
		}
	}
	return false
}

// shapesForOthers reports whether the function makes its callers' commands
// detach: then it is they who start and wait.
func (w *walker) shapesForOthers() bool {
	return w.current != nil && w.functionFact(w.current).detaches()
}

// currentName returns the name of the declared function around the node.
func (w *walker) currentName() string {
	for f := w.current; f != nil; f = f.outer {
		if f.object != nil {
			return f.object.Name()
		}
	}
	return "this function"
}

// message is what a person reads: what happens, through what, and what to do.
func (f *finding) message(dir string) string {
	var b strings.Builder
	if len(f.hops) > 0 {
		fmt.Fprintf(&b, "%s %s: %s", f.hops[0].Name, f.clause, chain.Text(f.hops, dir))
	} else {
		b.WriteString(f.clause)
	}
	if f.waits != "" {
		fmt.Fprintf(&b, "; %s waits for it, but it survives if this process is killed: owned.Start keeps the group kill and closes that", f.waits)
		return b.String()
	}
	fmt.Fprintf(&b, "; %s, or say why it must outlive its owner: // detached-spawn: ok — why", cmp.Or(f.repair, "start it with owned.Start"))
	return b.String()
}

// print returns an expression as one short line of source.
func (v *view) print(expr ast.Expr) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, v.fset, expr); err != nil {
		return "…"
	}
	const limit = 60
	line := strings.Join(strings.Fields(b.String()), " ")
	if runes := []rune(line); len(runes) > limit {
		line = string(runes[:limit-1]) + "…"
	}
	return line
}

// directory returns the directory of the view's files, for short places.
func (v *view) directory(pos token.Pos) string {
	return filepath.Dir(v.fset.Position(pos).Filename)
}
