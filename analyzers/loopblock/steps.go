package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// A step is something that a function does, on the goroutine that runs it,
// which may wait: a call, or a receive or send that nothing else races with.
type step struct {
	pos, end token.Pos
	call     *ast.CallExpr // nil for what is no call
	fn       *types.Func   // the function or method called, if it has a name
	sig      *types.Signature
	roots    []*blocker   // what blocks here, if this itself does
	sendTo   types.Object // the channel of a send that nothing races with
	away     bool         // the call of a go statement, which runs elsewhere
	marker   *marker.Marker
	targets  []target
}

// A blocker is blocking work as a step or a callee does it.
type blocker struct {
	kind roots.Kind
	name string
	loop string // of kind self
}

// A target is something that a step runs.
type target struct {
	node  *node
	paths []Path
	via   []hop // functions between the step and it
	once  bool
}

// maxSteps bounds the work per function: a function with more calls than this
// is analysed up to there, and its declaration gets a note.
const maxSteps = 50_000

// describe collects the steps of a function.
func (p *program) describe(n *node) {
	d := &describer{program: p, node: n}
	d.walk(n.body)
}

// A describer walks the body of one function, in the order of the source.
type describer struct {
	*program
	node    *node
	spawned []*node // the literals that the function has started so far
}

// walk visits what runs when the syntax does: not the bodies of function
// literals, nor the calls of go statements.
func (d *describer) walk(root ast.Node) {
	if root == nil {
		return
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			// The arguments and the function's expression are evaluated here
			// and now, only the call is not.
			d.walkCallee(n.Call)
			d.walkAll(n.Call.Args)
			d.call(n.Call, true)
			d.spawn(n)
			return false
		case *ast.CallExpr:
			d.walkCallee(n)
			d.walkAll(n.Args)
			d.call(n, false)
			return false
		case *ast.SelectStmt:
			d.selection(n)
			return false
		case *ast.SendStmt:
			d.walk(n.Chan)
			d.walk(n.Value)
			d.send(n)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				d.walk(n.X)
				d.receive(n)
				return false
			}
		case *ast.IfStmt:
			if d.stopsTimer(n.Cond) {
				d.walk(n.Cond)
				return false // the receive behind it takes what is there already
			}
			if always, known := d.decided(n.Cond); known {
				d.walkTaken(n, always)
				return false
			}
		case *ast.SwitchStmt:
			if taken, known := d.decidedSwitch(n); known {
				d.walkClause(n, taken)
				return false
			}
		case *ast.RangeStmt:
			d.walk(n.X)
			d.ranged(n)
			d.walk(n.Body)
			return false
		}
		return true
	})
}

func (d *describer) walkAll(exprs []ast.Expr) {
	for _, e := range exprs {
		d.walk(e)
	}
}

// walkCallee visits what is evaluated to find the function that is called. A
// literal that is called on the spot is a function of its own.
func (d *describer) walkCallee(call *ast.CallExpr) {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		d.walk(fun.X)
	case *ast.Ident, *ast.FuncLit:
	default:
		d.walk(fun)
	}
}

// selection visits a select statement. Where several cases race, or a default
// stands by, none of them is taken for a wait.
func (d *describer) selection(s *ast.SelectStmt) {
	alone := len(s.Body.List) == 1
	if !alone {
		d.awaitBounded(s)
	}
	for _, clause := range s.Body.List {
		comm := clause.(*ast.CommClause)
		if alone || comm.Comm == nil {
			d.walk(comm.Comm)
		} else {
			d.operands(comm.Comm)
		}
		for _, statement := range comm.Body {
			d.walk(statement)
		}
	}
}

// operands visits the channel and value expressions of a communication.
func (d *describer) operands(comm ast.Stmt) {
	switch s := comm.(type) {
	case *ast.SendStmt:
		d.walk(s.Chan)
		d.walk(s.Value)
	case *ast.ExprStmt:
		d.walkReceived(s.X)
	case *ast.AssignStmt:
		d.walkAll(s.Lhs)
		for _, e := range s.Rhs {
			d.walkReceived(e)
		}
	}
}

func (d *describer) walkReceived(expr ast.Expr) {
	if receive, ok := ast.Unparen(expr).(*ast.UnaryExpr); ok && receive.Op == token.ARROW {
		expr = receive.X
	}
	d.walk(expr)
}

// call adds the step of a call.
func (d *describer) call(call *ast.CallExpr, away bool) {
	if d.info.Types[call.Fun].IsType() {
		return
	}
	sig, _ := d.typeOf(call.Fun).(*types.Signature)
	if sig == nil {
		return // a builtin
	}
	if literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok && !away {
		d.walk(literal.Body) // runs on the spot, as if it were written without a function around it
		return
	}
	d.add(&step{pos: call.Pos(), end: call.End(), call: call, fn: d.static(call), sig: sig, away: away})
}

func (d *describer) add(s *step) {
	if len(d.node.steps) >= maxSteps {
		d.node.cut = true
		return
	}
	s.marker = d.marker(s.pos, s.namePos())
	d.node.steps = append(d.node.steps, s)
}

// signature returns the parameters that the call's arguments are for. In a call
// by a method expression the receiver is none of them.
func (s *step) signature() *types.Signature {
	if s.fn != nil {
		return s.fn.Signature()
	}
	return s.sig
}

// namePos returns the position of the called function's name, which in a chain
// of calls over several lines is where the call is seen.
func (s *step) namePos() token.Pos {
	if selector := selectorOf(s.call); selector != nil {
		return selector.Sel.Pos()
	}
	return s.pos
}

// ranged adds the step of a range over a function, which calls it, and of a
// range over a timer's channel.
func (d *describer) ranged(r *ast.RangeStmt) {
	if sig, ok := d.typeOf(r.X).(*types.Signature); ok {
		call := &ast.CallExpr{Fun: r.X, Lparen: r.X.Pos(), Rparen: r.X.End()}
		d.add(&step{pos: r.X.Pos(), end: r.X.End(), call: call, sig: sig})
	}
}

// stopsTimer reports whether a condition is that of "if !t.Stop() { <-t.C }",
// alone or with others.
func (d *describer) stopsTimer(cond ast.Expr) bool {
	if both, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && both.Op == token.LAND {
		return d.stopsTimer(both.X) || d.stopsTimer(both.Y)
	}
	not, ok := ast.Unparen(cond).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return false
	}
	call, ok := ast.Unparen(not.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := d.static(call)
	return fn != nil && fn.Name() == "Stop" && fn.Pkg() != nil && fn.Pkg().Path() == "time"
}

// receive adds the step of a receive that nothing races with, where what is
// received from says that it takes its time: a timer, or the end of a context.
func (d *describer) receive(r *ast.UnaryExpr) {
	if b := d.awaited(r.X); b != nil {
		d.add(&step{pos: r.Pos(), end: r.End(), roots: d.blocker(b)})
		return
	}
	if d.isEnd(r.X) {
		d.add(&step{pos: r.Pos(), end: r.End(), roots: d.blocker(&blocker{kind: roots.Wait, name: types.ExprString(r)})})
		return
	}
	d.await(r.X)
}

func (d *describer) awaited(channel ast.Expr) *blocker {
	switch x := ast.Unparen(channel).(type) {
	case *ast.CallExpr:
		fn := d.static(x)
		switch {
		case isFunc(fn, "time", "After"), isFunc(fn, "time", "Tick"):
			return &blocker{kind: roots.Sleep, name: "<-time." + fn.Name()}
		case fn != nil && fn.Name() == "Done" && isContext(fn):
			return &blocker{kind: roots.Wait, name: "<-" + types.ExprString(x)}
		}
	case *ast.SelectorExpr:
		if field, ok := d.info.ObjectOf(x.Sel).(*types.Var); ok && field.IsField() && field.Name() == "C" &&
			field.Pkg() != nil && field.Pkg().Path() == "time" {
			return &blocker{kind: roots.Sleep, name: "<-" + types.ExprString(x)}
		}
	}
	return nil
}

// send adds the step of a send that nothing races with. It matters on a loop
// that receives from the same channel.
func (d *describer) send(s *ast.SendStmt) {
	obj := d.place(s.Chan)
	c := d.channels[obj]
	if obj == nil || c == nil || !c.made || !c.unbuffered {
		return
	}
	d.add(&step{pos: s.Pos(), end: s.End(), sendTo: obj})
}

func isFunc(fn *types.Func, path, name string) bool {
	return fn != nil && fn.Name() == name && fn.Pkg() != nil && fn.Pkg().Path() == path && fn.Signature().Recv() == nil
}

// isContext reports whether the method is context.Context's.
func isContext(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "context" && fn.Signature().Recv() != nil
}
