package loopblock

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A shape is what the select of a loop shows about it.
type shape struct {
	cases    []ast.Node // what it does on each event, without what ends the loop
	events   int        // receives of data, or of a bare signal that something happened
	data     bool       // one of them at least is of data
	ticks    int
	answers  bool // a message brings the channel or function for its answer
	dispatch int  // branches on the message of its one event
}

// strong reports whether somebody waits for the loop: rule R of the
// measurements, which was right in 41 of 49 loops.
func (s *shape) strong() bool {
	return s.events >= 2 && s.answers || s.events >= manyEvents || s.events == 1 && s.dispatch >= minDispatch
}

// candidate reports whether a loop looks like an event loop at all. One that two
// bare signals wake up, and no more, is a worker.
func (s *shape) candidate() bool {
	return s.strong() || s.events >= severalEvents || s.events == 2 && s.data || s.events == 1 && s.answers
}

// shapeOf classifies the cases of a select by what they receive.
func (c *collector) shapeOf(selection *ast.SelectStmt) *shape {
	s := new(shape)
	for _, clause := range selection.Body.List {
		comm := clause.(*ast.CommClause)
		from := received(comm.Comm)
		if from == nil {
			continue
		}
		channel, ok := c.typeOf(from).(*types.Chan)
		if !ok {
			continue
		}
		var branches []ast.Node
		switch kindOfCase(from, channel.Elem()) {
		case doneCase:
			continue
		case tickCase:
			s.ticks++
		case eventCase:
			s.events++
			s.data = s.data || !isBare(channel.Elem())
			s.answers = s.answers || carriesAnswer(channel.Elem())
			branches = dispatch(comm.Body)
			s.dispatch = max(s.dispatch, len(branches))
		}
		if len(branches) >= minDispatch {
			s.cases = append(s.cases, branches...)
		} else {
			s.cases = append(s.cases, comm)
		}
	}
	return s
}

// received returns the channel that a communication receives from, or nil.
func received(comm ast.Stmt) ast.Expr {
	var expr ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		expr = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			expr = s.Rhs[0]
		}
	}
	if receive, ok := ast.Unparen(expr).(*ast.UnaryExpr); ok && receive.Op == token.ARROW {
		return receive.X
	}
	return nil
}

type caseKind int

const (
	eventCase caseKind = iota
	doneCase
	tickCase
	otherCase // signals and errors: neither events to answer nor a timer
)

func kindOfCase(from ast.Expr, elem types.Type) caseKind {
	if named := symbols.Named(elem); named != nil && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
		case "time.Time":
			return tickCase
		case "os.Signal":
			return otherCase
		}
	}
	if (isBare(elem) || isInteger(elem) || isError(elem)) && meansDone(from) {
		return doneCase
	}
	if isError(elem) {
		return otherCase
	}
	return eventCase
}

// isBare reports whether a message of a type says no more than that it is sent.
func isBare(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return u.NumFields() == 0
	case *types.Basic:
		return u.Info()&types.IsBoolean != 0
	}
	return false
}

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// doneWords are what channels are called that end a loop, in 31 repositories.
var doneWords = []string{
	"done", "stop", "quit", "qch", "clos", "shutdown", "exit", "term", "kill", "cancel", "abort", "dying", "dead",
	"finish", "halt", "drain", "leave", "leaving", "ctx",
}

func meansDone(from ast.Expr) bool {
	name := strings.ToLower(types.ExprString(from))
	if call, ok := ast.Unparen(from).(*ast.CallExpr); ok {
		name = strings.ToLower(types.ExprString(call.Fun))
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return slices.ContainsFunc(doneWords, func(word string) bool { return strings.Contains(name, word) })
}

// carriesAnswer reports whether a message has a channel or function by which
// whoever sent it gets an answer.
func carriesAnswer(t types.Type) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Struct:
		for field := range u.Fields() {
			switch field.Type().Underlying().(type) {
			case *types.Chan, *types.Signature:
				return true
			case *types.Struct:
				if field.Embedded() && carriesAnswer(field.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// minDispatch is the number of branches from which on a message is taken to say
// what is to be done, and each branch for an event of its own.
const minDispatch = 4

// dispatch returns the branches of the largest switch among statements.
func dispatch(body []ast.Stmt) []ast.Node {
	var most []ast.Stmt
	for _, statement := range body {
		ast.Inspect(statement, func(n ast.Node) bool {
			var list []ast.Stmt
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.SwitchStmt:
				list = n.Body.List
			case *ast.TypeSwitchStmt:
				list = n.Body.List
			}
			if len(list) > len(most) {
				most = list
			}
			return true
		})
	}
	branches := make([]ast.Node, len(most))
	for i, branch := range most {
		branches[i] = branch
	}
	return branches
}
