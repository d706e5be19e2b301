package detachedspawn

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/argv"
)

// A word is one argument of a command, and the parameter that it comes from,
// if it is one.
type word struct {
	argv.Arg
	parameter *parameter
}

func vector(words []word) []argv.Arg {
	args := make([]argv.Arg, len(words))
	for i, w := range words {
		args[i] = w.Arg
	}
	return args
}

func known(value string) word { return word{Arg: argv.Arg{Value: value, Known: true}} }

// arguments evaluates an argument vector that stands as separate arguments.
func (w *walker) arguments(exprs []ast.Expr, spread bool) []word {
	var args []word
	for i, expr := range exprs {
		if spread && i == len(exprs)-1 {
			return append(args, w.list(expr)...)
		}
		args = append(args, w.argument(expr))
	}
	return args
}

// unknownRest stands for arguments of which nothing is known.
var unknownRest = word{Arg: argv.Arg{Rest: true}}

// list evaluates a []string through literals, append and local variables.
func (w *walker) list(expr ast.Expr) []word {
	switch e := ast.Unparen(expr).(type) {
	case *ast.CompositeLit:
		var args []word
		for _, element := range e.Elts {
			args = append(args, w.argument(element))
		}
		return args
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "append" && len(e.Args) > 0 {
			head := w.list(e.Args[0])
			return append(slices.Clone(head), w.arguments(e.Args[1:], e.Ellipsis.IsValid())...)
		}
		return w.returnedList(e)
	case *ast.Ident:
		return w.variableList(e)
	case *ast.SliceExpr:
		if e.Low == nil {
			return w.list(e.X)
		}
	}
	return []word{unknownRest}
}

// variableList joins what a variable starts with and what is appended to it.
func (w *walker) variableList(id *ast.Ident) []word {
	obj := w.object(id)
	return remember(w.lists, obj, func() []word {
		var words []word
		if p, ok := w.parameters[obj]; ok {
			words = append(words, word{Arg: argv.Arg{Rest: true}, parameter: &p})
		}
		entry := w.values[obj]
		if entry == nil || entry.opaque {
			if len(words) == 0 {
				words = append(words, unknownRest)
			}
		}
		if entry == nil {
			return words
		}
		for _, value := range entry.exprs {
			words = w.extend(words, obj, value)
		}
		return words[:min(len(words), maxWords)]
	})
}

// extend adds one more value of a variable to its words so far:
// append(x, …) behind them, append(…, x...) in front of them.
func (w *walker) extend(words []word, obj types.Object, value ast.Expr) []word {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return append(words, w.list(value)...)
	}
	if w.target(call.Args[0]) == obj {
		return append(words, w.arguments(call.Args[1:], call.Ellipsis.IsValid())...)
	}
	// A cycle yields nothing for the variable itself, so that what stands
	// around it remains: exactly what goes in front.
	if last := call.Args[len(call.Args)-1]; call.Ellipsis.IsValid() && w.target(last) == obj {
		return append(slices.Clone(w.list(value)), words...)
	}
	return append(words, w.list(value)...)
}

// remember computes what is known of an object once. A question that comes
// back to itself is answered with nothing.
func remember[T any](known map[types.Object]T, obj types.Object, compute func() T) T {
	if result, ok := known[obj]; ok {
		return result
	}
	var nothing T
	known[obj] = nothing
	known[obj] = compute()
	return known[obj]
}

// argument evaluates a string through constants, concatenation, Sprintf with
// a constant format, and local variables. Unknown parts become argv.Hole.
func (w *walker) argument(expr ast.Expr) word {
	if tv := w.info.Types[expr]; tv.Value != nil && tv.Value.Kind() == constant.String {
		return known(constant.StringVal(tv.Value))
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		left, right := w.argument(e.X), w.argument(e.Y)
		if !left.Known && !right.Known {
			return word{}
		}
		return known(text(left) + text(right))
	case *ast.CallExpr:
		return w.callArgument(e)
	case *ast.Ident:
		if p, ok := w.parameters[w.object(e)]; ok {
			return word{parameter: &p}
		}
		return remember(w.words, w.object(e), func() word {
			entry := w.local(e)
			switch {
			case entry == nil:
				return word{}
			case len(entry.exprs) == 0 && len(entry.calls) == 1:
				return w.lookedUp(entry.calls[0])
			case len(entry.exprs) != 1 || entry.opaque:
				return word{}
			}
			return w.argument(entry.exprs[0])
		})
	}
	return word{}
}

// lookedUp returns the program whose path exec.LookPath found.
func (w *walker) lookedUp(call *ast.CallExpr) word {
	if _, callee := w.callee(call); callee == (name{"os/exec", "", "LookPath"}) && len(call.Args) == 1 {
		return w.argument(call.Args[0])
	}
	return word{}
}

func text(a word) string {
	if a.Known {
		return a.Value
	}
	return string(argv.Hole)
}

func (w *walker) callArgument(call *ast.CallExpr) word {
	if tv := w.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return w.argument(call.Args[0])
	}
	_, callee := w.callee(call)
	switch callee {
	case name{"fmt", "", "Sprintf"}:
		return w.format(call)
	case name{"strings", "", "Join"}:
		if len(call.Args) == 2 {
			return w.join(call.Args[0], call.Args[1])
		}
	case name{"path/filepath", "", "Join"}, name{"path", "", "Join"}:
		if n := len(call.Args); n > 0 {
			return w.argument(call.Args[n-1])
		}
	}
	return word{}
}
