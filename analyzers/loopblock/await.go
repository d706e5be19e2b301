package loopblock

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// spawn notes a literal that a go statement starts.
func (d *describer) spawn(s *ast.GoStmt) {
	if literal, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		if n := d.literals[literal]; n != nil {
			d.spawned = append(d.spawned, n)
		}
	}
}

// await adds the step of a receive from a local channel that only a goroutine
// which the function has started sends to: what that runs is waited for, as if
// it were called.
func (d *describer) await(channel ast.Expr) {
	obj := d.localChannel(channel)
	if obj == nil {
		return
	}
	for _, literal := range d.spawned {
		if d.answers(literal, obj) {
			d.add(&step{pos: channel.Pos(), end: channel.End(), targets: []target{{node: literal}}})
		}
	}
}

// awaitBounded adds the steps of a select that waits for such goroutines, for
// their results or their errors, and, besides, only for the end of its patience:
// a timer or a context.
func (d *describer) awaitBounded(s *ast.SelectStmt) {
	var answers []ast.Expr
	for _, clause := range s.Body.List {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil {
			return // a default: nothing is waited for
		}
		from := received(comm)
		switch {
		case from == nil:
			return
		case d.awaited(from) != nil:
		case !d.isAnswer(from):
			return
		default:
			answers = append(answers, from)
		}
	}
	for _, answer := range answers {
		d.await(answer)
	}
}

// isAnswer reports whether a goroutine that the function has started sends to a
// local channel, or closes it.
func (d *describer) isAnswer(channel ast.Expr) bool {
	obj := d.localChannel(channel)
	return obj != nil && slices.ContainsFunc(d.spawned, func(literal *node) bool { return d.answers(literal, obj) })
}

// localChannel returns the variable of this function that holds a channel, or nil.
func (d *describer) localChannel(channel ast.Expr) types.Object {
	id, ok := ast.Unparen(channel).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := d.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == d.pass.Pkg.Scope() || !inside(d.node.body, v.Pos()) {
		return nil
	}
	return v
}

// answers reports whether a literal sends to a channel or closes it.
func (d *describer) answers(literal *node, channel types.Object) bool {
	found := false
	ast.Inspect(literal.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			found = found || d.place(n.Chan) == channel
		case *ast.CallExpr:
			found = found || d.isBuiltin(n, "close") && len(n.Args) == 1 && d.place(n.Args[0]) == channel
		}
		return !found
	})
	return found
}

// ends are words in the names of channels that are closed when something is over.
var ends = []string{"done", "finish", "exit", "stopped", "complete", "ended"}

// isEnd reports whether a channel is a field of a struct of this module that
// tells by being closed that something else is over: what receives from it waits
// for that, as for a sync.WaitGroup.
func (d *describer) isEnd(channel ast.Expr) bool {
	field, ok := d.place(channel).(*types.Var)
	if !ok || !field.IsField() || !d.closed[field] || d.isDependency() {
		return false
	}
	c, ok := field.Type().Underlying().(*types.Chan)
	if !ok || !isEmptyStruct(c.Elem()) {
		return false
	}
	name := strings.ToLower(field.Name())
	return slices.ContainsFunc(ends, func(word string) bool { return strings.Contains(name, word) })
}

func isEmptyStruct(t types.Type) bool {
	structure, ok := t.Underlying().(*types.Struct)
	return ok && structure.NumFields() == 0
}
