package detachedspawn

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/argv"
)

// command judges the argument vector of a command that the call makes.
func (w *walker) command(call *ast.CallExpr, callee name) {
	if first, ok := commandFunctions[callee]; ok && len(call.Args) > first {
		w.judge(call, w.arguments(call.Args[first:], call.Ellipsis.IsValid()))
		return
	}
	if startFunctions[callee] && len(call.Args) > 1 {
		args := w.list(call.Args[1])
		if program := w.argument(call.Args[0]); program.Known && len(args) > 0 {
			args[0] = program
		}
		w.judge(call, args)
	}
}

// commandLiteral judges exec.Cmd{Path: …, Args: …}.
func (w *walker) commandLiteral(lit *ast.CompositeLit) {
	var args []word
	var program word
	for i, element := range lit.Elts {
		switch field, value := w.element(lit, i, element); field {
		case "Args":
			args = w.list(value)
		case "Path":
			program = w.argument(value)
		}
	}
	if program.Known && len(args) > 0 {
		args[0] = program
	}
	w.judge(lit, args)
}

func (w *walker) judge(spawn ast.Expr, words []word) {
	verdict, ok := argv.Judge(vector(words))
	if !ok || !verdict.Detaches {
		w.learnCommand(words)
		return
	}
	w.reportSource(source{text: verdict.Program, effect: verdict.What, repair: "start what it runs with owned.Start"}, spawn.Pos(), spawn.End())
}

// A Command is the argument vector of a command that a function makes from
// its parameters: what it detaches, its callers decide.
type Command struct{ Words []Word }

// A Word is one argument: known text, or a parameter.
type Word struct {
	Value string
	Known bool
	Rest  bool // any number of arguments
	Param int  // index of the parameter + 1; 0: none
}

// maxWords and maxCommands bound what a fact says of a function's commands.
const (
	maxWords    = 32
	maxCommands = 4
)

// learnCommand notes that parameters of a function go into a command.
func (w *walker) learnCommand(words []word) {
	if len(words) > maxWords {
		return
	}
	owner := parameterOwner(words)
	if owner == nil {
		return
	}
	command := Command{Words: make([]Word, len(words))}
	for i, word := range words {
		command.Words[i] = Word{Value: word.Value, Known: word.Known, Rest: word.Rest}
		if p := word.parameter; p != nil && p.function == owner {
			command.Words[i].Param = p.index + 1
		}
	}
	w.learnFunction(owner, &origin{}, func(d *Detaching) bool { return d.addCommand(command) })
}

// parameterOwner returns the function whose parameters the words contain.
func parameterOwner(words []word) *function {
	for _, w := range words {
		if w.parameter != nil && w.parameter.index != receiver {
			return w.parameter.function
		}
	}
	return nil
}

func (d *Detaching) addCommand(c Command) bool {
	if len(d.Commands) >= maxCommands {
		return false
	}
	for _, known := range d.Commands {
		if slices.Equal(known.Words, c.Words) {
			return false
		}
	}
	d.Commands = append(slices.Clip(d.Commands), c)
	return true
}

// commandThrough judges the commands that a function makes from this call's
// arguments: run("new-session", "-d") where run executes tmux.
func (w *walker) commandThrough(call *ast.CallExpr) {
	fact := w.commandsOf(call)
	if fact == nil {
		return
	}
	for _, command := range fact.Commands {
		w.judge(call, w.substitute(call, command))
	}
}

func (w *walker) commandsOf(call *ast.CallExpr) *Detaching {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return w.literals[lit]
	}
	obj, _ := w.callee(call)
	if obj == nil {
		return nil
	}
	return w.fact(obj)
}

// commandsIn returns the fact of a function value that makes commands from its
// parameters, or nil.
func (w *walker) commandsIn(expr ast.Expr) *Detaching {
	var fact *Detaching
	switch e := ast.Unparen(expr).(type) {
	case *ast.FuncLit:
		fact = w.literals[e]
	case *ast.Ident:
		fact = w.fact(w.object(e))
	case *ast.SelectorExpr:
		fact = w.fact(w.info.Uses[e.Sel])
	}
	if fact == nil || len(fact.Commands) == 0 {
		return nil
	}
	return fact
}

// handCommands notes that a variable or field holds such a function.
func (w *walker) handCommands(lhs ast.Expr, fact *Detaching) {
	v, ok := w.target(lhs).(*types.Var)
	if !ok || !isFunction(v.Type()) {
		return
	}
	for _, c := range fact.Commands {
		w.learn(v.Origin(), &origin{}, func(d *Detaching) bool { return d.addCommand(c) })
	}
}

// substitute puts a call's arguments in the place of a command's parameters.
func (w *walker) substitute(call *ast.CallExpr, c Command) []word {
	var words []word
	for _, cw := range c.Words {
		if cw.Param == 0 {
			words = append(words, word{Arg: argv.Arg{Value: cw.Value, Known: cw.Known, Rest: cw.Rest}})
			continue
		}
		words = append(words, w.given(call, cw.Param-1, cw.Rest)...)
	}
	return words
}

// given returns the words that a call gives to parameter i, which stands for
// one argument or, with rest, for any number of them.
func (w *walker) given(call *ast.CallExpr, i int, rest bool) []word {
	switch {
	case rest && i == len(call.Args)-1 && call.Ellipsis.IsValid():
		return w.list(call.Args[i])
	case rest && w.isVariadic(call, i):
		return w.arguments(call.Args[min(i, len(call.Args)):], false)
	case i >= len(call.Args):
		return []word{unknownRest}
	case rest:
		return w.list(call.Args[i])
	}
	return []word{w.argument(call.Args[i])}
}

// isVariadic reports whether parameter i of what a call calls is variadic.
func (w *walker) isVariadic(call *ast.CallExpr, i int) bool {
	signature := signatureOf(w.info.TypeOf(call.Fun))
	return signature != nil && signature.Variadic() && i == signature.Params().Len()-1
}

// learnReturnedList notes the arguments that a function of this package
// returns: tmuxArgs("new-session") where tmuxArgs puts "-L socket" in front.
// Of several returns the one with most to say counts.
func (w *walker) learnReturnedList(result ast.Expr) {
	if w.current.object == nil || !isStringSlice(w.info.TypeOf(result)) {
		return
	}
	words := w.list(result)
	if words = words[:min(len(words), maxWords)]; len(words) > len(w.returned[w.current.object]) {
		w.returned[w.current.object] = words
		w.changed = true
	}
}

// returnedList returns the arguments that a call of such a function returns.
func (w *walker) returnedList(call *ast.CallExpr) []word {
	obj, _ := w.callee(call)
	if obj == nil || w.returned[obj] == nil {
		return []word{unknownRest}
	}
	var words []word
	for _, returned := range w.returned[obj] {
		p := returned.parameter
		if p == nil || p.function.object != obj || p.index == receiver {
			words = append(words, word{Arg: returned.Arg})
			continue
		}
		words = append(words, w.given(call, p.index, returned.Rest)...)
	}
	return words
}
