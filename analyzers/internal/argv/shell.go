package argv

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellOptions are those of the Unix shells that take a value.
var shellOptions = options{short: "oO", long: "rcfile init-file"}

// judge judges the script in a shell's arguments.
func (s shell) judge(program string, args []Arg, depth int) (Verdict, bool) {
	switch s.syntax {
	case cmdSyntax:
		return judgeCmd(args, depth)
	case powerShellSyntax:
		return judgePowerShell(args, depth)
	}
	script, ok := scriptArgument(args)
	if !ok {
		return Verdict{}, false
	}
	return judgeScript(program, script.text(), depth+1)
}

// scriptArgument returns the operand that -c makes the script. An unknown
// argument before it is taken for an option.
func scriptArgument(args []Arg) (Arg, bool) {
	commanded := false
	for {
		given, operands := shellOptions.split(args)
		if _, ok := find(given, "c"); ok {
			commanded = true
		}
		switch {
		case len(operands) == 0:
			return Arg{}, false
		case commanded:
			return operands[0], true
		case operands[0].Known && !isPlusOption(operands[0]):
			return Arg{}, false
		}
		args = operands[1:]
	}
}

// isPlusOption reports whether the argument unsets an option: bash +e -c ….
func isPlusOption(a Arg) bool { return strings.HasPrefix(a.Value, "+") }

// judgeScript judges a script for the shell named lang.
func judgeScript(lang, script string, depth int) (Verdict, bool) {
	if depth > maxDepth || len(script) > maxScript || !hasKnownPart(script) {
		return Verdict{}, false
	}
	sh, ok := shells[lang]
	if !ok || sh.syntax != unixSyntax {
		sh = shells["bash"]
	}
	source := strings.ReplaceAll(script, string(Hole), holeName)
	file, ok := parse(source, sh.dialects)
	if !ok {
		return Verdict{}, false
	}
	r := &run{shell: sh, lang: lang, depth: depth, steps: maxSteps}
	return r.judge(file, source), true
}

func hasKnownPart(script string) bool {
	return strings.Trim(script, string(Hole)+" \t\r\n") != ""
}

// holeName stands for a hole while the script is parsed. It is a name, so that
// it parses wherever a hole can stand: as a word, a variable, a function.
const holeName = "holdfast_unknown"

// parse parses the source in the first of the dialects in which it is valid.
func parse(source string, dialects []syntax.LangVariant) (*syntax.File, bool) {
	for _, dialect := range dialects {
		file, err := syntax.NewParser(syntax.Variant(dialect)).Parse(strings.NewReader(source), "")
		if err == nil {
			return file, true
		}
	}
	return nil, false
}
