package argv

import "strings"

// judge judges what the wrapper runs.
func (w wrapper) judge(args []Arg, depth int) (Verdict, bool) {
	given, operands := w.options.split(args)
	if _, ok := find(given, w.query); ok {
		return Verdict{}, true
	}
	if w.script != "" {
		if opt, ok := find(w.options.permuted(args), w.script); ok {
			return judgeScript("sh", opt.value.text(), depth+1)
		}
	}
	return judge(w.command(operands), depth+1)
}

// command returns the command after the wrapper's own operands.
func (w wrapper) command(operands []Arg) []Arg {
	if w.verbs != "" && (len(operands) == 0 || !hasWord(w.verbs, operands[0].Value)) {
		return nil
	}
	for w.assigns && len(operands) > 0 && isAssignment(operands[0]) {
		operands = operands[1:]
	}
	return operands[min(w.operands, len(operands)):]
}

// isAssignment reports whether the argument is NAME=value.
func isAssignment(a Arg) bool {
	name, _, found := strings.Cut(a.Value, "=")
	return a.Known && found && !strings.ContainsAny(name, "/ ")
}

// matches reports whether the telltale stands among the arguments.
func (t telltale) matches(args []Arg) bool {
	for i, a := range args {
		if t.first && i > 0 {
			break
		}
		if a.Known && !a.Rest && strings.EqualFold(a.Value, t.word) {
			return true
		}
	}
	return false
}
