package loopblock

import (
	"go/ast"
	"go/token"
	"strings"
)

// Entry is the category of what -loopblock.entries says: what runs on which
// loop. It is for editors to show beside the code, and no finding.
const Entry = "loop-entry"

// lenses returns a note on every piece of code of this package that runs on a
// loop.
func (c *collector) lenses() []finding {
	var list []finding
	for _, e := range c.entries {
		pos, end := e.place()
		list = append(list, finding{pos: pos, end: end, category: Entry, note: e.loop.describe()})
	}
	return list
}

// place returns where an entry is to be shown: at the loop statement, at the
// declaration, or at what is given to the loop.
func (e *entry) place() (pos, end token.Pos) {
	switch {
	case e.outside != nil:
		return e.outside.pos, e.outside.end
	case e.body == nil:
		return e.node.declaration()
	}
	if loop, ok := e.body.(ast.Stmt); ok {
		return loop.Pos(), loop.Pos() + token.Pos(len("for"))
	}
	return e.body.Pos(), e.body.End()
}

// describe returns "event loop: Bubble Tea; allows disk".
func (l Loop) describe() string {
	text := "event loop"
	if l.Name != ownLoop {
		text += ": " + strings.TrimSuffix(l.Name, "'s loop")
	}
	if len(l.Allow) > 0 {
		text += "; allows " + strings.Join(kindNames(l.Allow), ", ")
	}
	return text
}
