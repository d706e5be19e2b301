package loopblock

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// A finding is one kind of blocking work on one entry.
type finding struct {
	pos, end token.Pos
	path     Path
	category string
	clause   string // "Update runs on Bubble Tea's loop"
	after    string // what follows the chain
	note     string // the whole message, if there is no chain
	foreign  bool   // it stands in another package
}

// cuts returns a note for every function that is too large to be followed whole.
func (p *program) cuts() []finding {
	var list []finding
	for _, n := range p.nodes {
		if n.cut {
			pos, end := n.declaration()
			list = append(list, finding{
				pos: pos, end: end, category: Advice,
				note: fmt.Sprintf("%s makes more than %d calls: what comes after them was not looked at", n.name, maxSteps),
			})
		}
	}
	return list
}

// findings returns what every entry waits for: the shortest way for each kind.
func (c *collector) findings() []finding {
	var list []finding
	for _, e := range c.entries {
		if e.outside != nil {
			list = append(list, c.outsideFindings(e)...)
			continue
		}
		for _, way := range c.ways(e) {
			list = append(list, finding{
				pos: way.step.reportPos(c.pass.Fset), end: way.step.end,
				path: c.rest(way), category: Category, clause: e.clause(),
			})
		}
	}
	return list
}

func (e *entry) clause() string { return e.name + " runs on " + e.loop.Name }

// ways returns the shortest way for each kind that an entry must not wait for.
func (c *collector) ways(e *entry) []*reach {
	return c.waysOf(e, e.node.steps, c.receivedChannels(e))
}

// waysOf returns the shortest way for each kind among those that begin at steps.
func (c *collector) waysOf(e *entry, steps []*step, channels map[string]bool) []*reach {
	best := make(map[roots.Kind]*reach)
	for _, s := range steps {
		if s.marker != nil || s.away || e.body != nil && !inside(e.body, s.pos) {
			continue
		}
		c.each(s, func(way reach) {
			if way.depth > c.options.depth+1 || e.loop.allows(way.kind) || !c.concerns(e, &way, channels) {
				return
			}
			if known := best[way.kind]; known == nil || way.shorter(known) {
				best[way.kind] = &way
			}
		})
	}
	if deadlock, wait := best[roots.Self], best[roots.Wait]; deadlock != nil && wait != nil && deadlock.step == wait.step {
		delete(best, roots.Wait) // the same wait, of which there is worse to say
	}
	if wait := best[roots.Wait]; wait != nil && best[roots.Exec] != nil && awaitsProcess(wait) {
		delete(best, roots.Wait) // the second half of what exec says
	}
	var list []*reach
	for _, kind := range roots.Kinds() {
		if best[kind] != nil {
			list = append(list, best[kind])
		}
	}
	return list
}

// awaitsProcess reports whether a way ends in waiting for a process.
func awaitsProcess(way *reach) bool {
	for way.next != nil {
		way = way.next
	}
	return way.path != nil && (way.path.Root == "exec.Cmd.Wait" || way.path.Root == "os.Process.Wait")
}

// shorter reports whether a way is a better explanation: one that is always
// gone before one of the first time only, then the one with fewer functions.
func (w *reach) shorter(than *reach) bool {
	if w.once != than.once {
		return !w.once
	}
	return w.depth < than.depth
}

func inside(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// concerns reports whether a wait for a loop is a wait for the entry's own.
func (c *collector) concerns(e *entry, way *reach, channels map[string]bool) bool {
	if way.kind != roots.Self || way.loop == "" {
		return true
	}
	if strings.HasPrefix(way.loop, sendPrefix) {
		return channels[way.loop]
	}
	return way.loop == e.loop.Name
}

// receivedChannels returns the channels that only this entry receives from, as
// reasons name them.
func (c *collector) receivedChannels(e *entry) map[string]bool {
	if !c.hasSends() {
		return nil
	}
	var body ast.Node = e.node.body
	if e.body != nil {
		body = e.body
	}
	channels := make(map[string]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		var from ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				from = n.X
			}
		case *ast.RangeStmt:
			from = n.X
		}
		if from == nil {
			return true
		}
		if obj := c.place(from); obj != nil && len(c.receivingNodes(obj)) == 1 {
			channels[(&step{sendTo: obj}).sendReason().loop] = true
		}
		return true
	})
	return channels
}

// outsideStep returns the step by which an entry runs that another package declares.
func (c *collector) outsideStep(e *entry) *step {
	return &step{pos: e.outside.pos, end: e.outside.end, targets: e.outside.targets, marker: c.marker(e.outside.pos)}
}

// outsideFindings returns the findings of an entry that another package declares.
func (c *collector) outsideFindings(e *entry) []finding {
	s := c.outsideStep(e)
	var list []finding
	for _, way := range c.waysOf(e, []*step{s}, nil) {
		list = append(list, finding{
			pos: s.pos, end: s.end, path: c.rest(way), category: Category, clause: e.clause(),
		})
	}
	return list
}

// reportPos returns where a finding at a step stands: at the call, or at the
// name that is called where a chain of calls runs over several lines.
func (s *step) reportPos(fset *token.FileSet) token.Pos {
	name := s.namePos()
	if fset.PositionFor(name, false).Line != fset.PositionFor(s.pos, false).Line {
		return name
	}
	return s.pos
}

// report prints findings in the order of the source.
func (p *program) report(list []finding) {
	slices.SortStableFunc(list, func(a, b finding) int {
		return cmp.Or(chain.Compare(p.pass.Fset, a.pos, b.pos), cmp.Compare(a.message(""), b.message("")))
	})
	printed := make(map[string]bool)
	for _, f := range list {
		if !f.foreign && p.markers.skips(f.pos) {
			continue
		}
		at := p.pass.Fset.Position(f.pos)
		message := f.message(filepath.Dir(at.Filename))
		key := fmt.Sprint(f.pos, message)
		if printed[key] {
			continue
		}
		printed[key] = true
		p.pass.Report(analysis.Diagnostic{
			Pos: f.pos, End: f.end, Category: f.category,
			Message: message,
			Related: chain.Related(p.pass.Fset, f.path.Hops),
		})
	}
}

// message is what a person reads: who waits for what, through what.
func (f finding) message(dir string) string {
	if f.note != "" {
		return f.note
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s and waits on %s: ", f.clause, kindText(f.path.Kind))
	if len(f.path.Hops) > 0 {
		b.WriteString(chain.Text(f.path.Hops, dir))
		b.WriteString(" → ")
	}
	b.WriteString(f.path.Root)
	if f.path.Once {
		b.WriteString(", first time only")
	}
	b.WriteString(f.after)
	return b.String()
}

// kindText returns a kind's name, with a word of explanation where the name
// alone does not tell.
func kindText(kind roots.Kind) string {
	switch kind {
	case roots.Wait:
		return "wait (another goroutine or process)"
	case roots.Flock:
		return "flock (a lock file)"
	case roots.Self:
		return "self (deadlock)"
	}
	return string(kind)
}
