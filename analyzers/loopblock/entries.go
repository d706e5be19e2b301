package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
)

// An entry is code that runs on a loop.
type entry struct {
	loop Loop
	name string // as a message begins: "Update", "the function given to QueueUpdateDraw"

	node    *node    // a function of this package, or nil
	body    ast.Node // the part of it that runs on the loop, or nil for all
	outside *outside // what is no function of this package
}

// An outside entry is a function that this package gives to a loop but does not
// declare.
type outside struct {
	pos, end token.Pos
	targets  []target
}

// A collector finds the entries of a package.
type collector struct {
	*program
	entries   []*entry
	seen      map[*node]bool
	given     map[*types.Var]Loop // parameters that end up on a loop
	unordered bool                // the package lets callbacks run in any order
}

// collect returns the entries, in the order in which they are found, which is
// that of the source for each kind.
func (p *program) collect() *collector {
	c := &collector{program: p, seen: make(map[*node]bool), given: make(map[*types.Var]Loop)}
	c.unordered = c.isUnordered()
	for param, loop := range p.directed.loops {
		if v, ok := param.(*types.Var); ok && p.params[v] != nil {
			c.given[v] = loop
		}
	}
	c.declaredLoops()
	c.methods()
	for before := -1; before != len(c.given)+len(c.entries); {
		before = len(c.given) + len(c.entries)
		c.callbacks()
		c.fieldCallbacks()
		c.conversions()
	}
	c.receivers()
	return c
}

func (c *collector) add(e *entry) {
	if e.node != nil && e.body == nil {
		if c.seen[e.node] {
			return
		}
		c.seen[e.node] = true
	}
	c.entries = append(c.entries, e)
}

// declaredLoops adds the functions whose directive says loop.
func (c *collector) declaredLoops() {
	for _, n := range c.nodes {
		v := c.verdict(n)
		if v == nil || v.loop == nil {
			continue
		}
		loops := eventLoops(n.body)
		if len(loops) == 0 {
			c.add(&entry{loop: *v.loop, name: n.name, node: n})
		}
		for _, loop := range loops {
			c.seen[n] = true
			c.add(&entry{loop: *v.loop, name: n.name, node: n, body: loop})
		}
	}
}

func (p *program) verdict(n *node) *verdict {
	if n.lit != nil {
		return p.directed.literals[n.lit]
	}
	return p.directed.verdicts[n.obj]
}

// eventLoops returns the for statements at the top of a function's body that
// receive: what stands before them does not run on the loop yet.
func eventLoops(body *ast.BlockStmt) []ast.Stmt {
	var loops []ast.Stmt
	for _, statement := range body.List {
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		switch s := statement.(type) {
		case *ast.ForStmt:
			if receives(s.Body) {
				loops = append(loops, s)
			}
		case *ast.RangeStmt:
			loops = append(loops, s)
		}
	}
	return loops
}

// receives reports whether a block waits for something by a select or a receive.
func receives(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// methods adds the methods that a framework calls.
func (c *collector) methods() {
	if !c.importsFramework() {
		return
	}
	lookup := c.reachable()
	for _, n := range c.nodes {
		if n.obj == nil || n.sig.Recv() == nil {
			continue
		}
		if loop, ok := frameworks.Method(n.sig.Recv().Type(), n.obj, lookup.find); ok && c.holds(loop) {
			c.add(&entry{loop: newLoop(loop), name: n.name, node: n})
			c.handlers(n, newLoop(loop))
		}
	}
}

// handlers adds the functions that a framework's method returns for the loop to
// call; commands are not for it.
func (c *collector) handlers(n *node, loop Loop) {
	for i := range n.sig.Results().Len() {
		if frameworks.OffType(n.sig.Results().At(i).Type()) {
			continue
		}
		for _, v := range c.returnedBy(n, i) {
			c.registerValue(v, n.body, loop, "the function that "+n.name+" returns")
		}
	}
}

// importsFramework reports whether the package can name a framework's types.
func (c *collector) importsFramework() bool {
	for _, direct := range c.pass.Pkg.Imports() {
		if frameworks.Mentions(direct.Path()) {
			return true
		}
		for _, mentioned := range direct.Imports() {
			if frameworks.Mentions(mentioned.Path()) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a framework's entry is one in this package.
func (c *collector) holds(loop frameworks.Loop) bool { return !loop.Ordered || !c.unordered }

// isUnordered reports whether the package makes a framework run its callbacks
// on goroutines of their own.
func (c *collector) isUnordered() bool {
	for _, n := range c.nodes {
		for _, s := range n.steps {
			if s.fn == nil || len(s.call.Args) == 0 || !frameworks.Unordered(s.fn) {
				continue
			}
			if v := c.info.Types[s.call.Args[0]].Value; v != nil && v.String() == "false" {
				return true
			}
		}
	}
	return false
}
