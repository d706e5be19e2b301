package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
)

// receivers adds the bodies of loops that receive from a framework.
func (c *collector) receivers() {
	channels := c.loopChannels()
	for _, n := range c.nodes {
		inspectLoops(n.body, func(loop ast.Stmt, body *ast.BlockStmt) {
			l, ok := c.receivesFrom(loop, body, channels)
			if ok {
				name := n.name
				if n.obj == nil {
					name = "this loop"
				}
				c.add(&entry{loop: l, name: name, node: n, body: loop})
			}
		})
	}
}

// inspectLoops calls f with every loop of a function's body, the outer before
// the inner, without those of literals inside.
func inspectLoops(body *ast.BlockStmt, f func(loop ast.Stmt, body *ast.BlockStmt)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			f(n, n.Body)
		case *ast.RangeStmt:
			f(n, n.Body)
		}
		return true
	})
}

// receivesFrom returns the framework's loop whose events a loop handles.
func (c *collector) receivesFrom(loop ast.Stmt, body *ast.BlockStmt, channels map[types.Object]Loop) (Loop, bool) {
	var found Loop
	ok := false
	look := func(n ast.Node) bool {
		if ok {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			return n == loop
		case *ast.CallExpr:
			if fn := c.static(n); fn != nil {
				var l frameworks.Loop
				if l, ok = frameworks.Receive(fn); ok {
					found, ok = newLoop(l), c.holds(l)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				found, ok = channels[c.place(n.X)]
			}
		}
		return !ok
	}
	ast.Inspect(body, look)
	if r, isRange := loop.(*ast.RangeStmt); isRange && !ok {
		ast.Inspect(r.X, look)
		if !ok {
			found, ok = channels[c.place(r.X)]
		}
	}
	return found, ok
}

// loopChannels returns the channels that the package gives to a framework which
// must not wait for their receiver.
func (c *collector) loopChannels() map[types.Object]Loop {
	channels := make(map[types.Object]Loop)
	for _, call := range c.channelCalls {
		fn := c.static(call.call)
		if fn == nil {
			continue
		}
		if loop, ok := frameworks.Receive(fn); ok && c.holds(loop) {
			channels[call.to] = newLoop(loop)
		}
	}
	for _, passed := range c.passed {
		if loop, ok := frameworks.ReceiveField(passed.owner, passed.field); ok && c.holds(loop) {
			if obj := c.place(passed.value); obj != nil {
				channels[obj] = newLoop(loop)
			}
		}
	}
	if len(channels) > 0 {
		c.spread(channels)
	}
	return channels
}

// spread adds the other places that hold the channels.
func (c *collector) spread(channels map[types.Object]Loop) {
	for before := 0; before != len(channels); {
		before = len(channels)
		for _, a := range c.aliases {
			if loop, ok := channels[a.from]; ok {
				channels[a.to] = loop
			}
		}
	}
}
