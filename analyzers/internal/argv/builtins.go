package argv

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call runs a simple command.
func (r *run) call(c *syntax.CallExpr, p *process) {
	for _, a := range c.Assigns {
		r.inside(a, p)
		p.assign(a)
	}
	for _, w := range c.Args {
		r.inside(w, p)
	}
	if len(c.Args) == 0 || r.builtin(c.Args, p) {
		return
	}
	r.judged(judge(evaluate(c.Args), r.depth+1))
}

// builtin runs the commands that matter to jobs, and the script's functions.
// It reports whether the command is one of them.
func (r *run) builtin(words []*syntax.Word, p *process) bool {
	name := evaluateWord(words[0]).Value
	switch words = words[1:]; name {
	case "command", "builtin":
		return len(words) > 0 && r.builtin(words, p)
	case "wait", "fg":
		p.wait(words)
	case "kill":
		p.kill(words)
	case "disown":
		r.detach(Verdict{Program: "disown in " + r.name(), What: disownsJob})
	case "eval":
		r.text(r.scriptOf(words...), p)
	case "trap":
		r.trap(words, p)
	default:
		return r.function(name, p)
	}
	return true
}

// trap sets an action. One on EXIT runs at the end of the process; for any
// other the signal may come at any time.
func (r *run) trap(words []*syntax.Word, p *process) {
	if len(words) < 2 || strings.HasPrefix(words[0].Lit(), "-") {
		return
	}
	action := r.scriptOf(words[0])
	if slices.ContainsFunc(words[1:], func(w *syntax.Word) bool {
		return strings.EqualFold(w.Lit(), "EXIT") || w.Lit() == "0"
	}) {
		p.exit = append(p.exit, action)
		return
	}
	handler := &process{}
	r.text(action, handler)
	r.exit(handler)
}

// function runs one of the script's functions. It reports whether it is one.
func (r *run) function(name string, p *process) bool {
	body, ok := r.functions[name]
	if !ok {
		return false
	}
	if slices.Contains(r.active, name) || len(r.active) >= maxDepth {
		return true
	}
	r.active = append(r.active, name)
	r.statement(body, p)
	r.active = r.active[:len(r.active)-1]
	return true
}

// readsScript reports whether the command is a shell, perhaps under wrappers,
// that reads its script from standard input.
func readsScript(args []Arg) (lang string, ok bool) {
	for range maxDepth {
		if len(args) == 0 {
			return "", false
		}
		name, rest := args[0].program(), args[1:]
		if s, ok := shells[name]; ok {
			given, operands := shellOptions.split(rest)
			_, explicit := find(given, "s")
			_, commanded := find(given, "c")
			return name, s.syntax == unixSyntax && !commanded && (explicit || len(operands) == 0)
		}
		i := slices.IndexFunc(wrappers, func(w wrapper) bool { return hasWord(w.names, name) })
		if i < 0 {
			return "", false
		}
		_, operands := wrappers[i].options.split(rest)
		args = wrappers[i].command(operands)
	}
	return "", false
}
