// Package argv judges command lines: does running one put a process out of
// the reach of the program that runs it? Out of reach is what a kill of that
// program, of its process group or of its control group no longer ends:
// another session or group (setsid), a hang-up that is ignored (nohup), another
// supervisor's child (systemd-run, tmux, launchd, the task scheduler), or a
// job that a shell leaves behind when it exits.
//
// Argument vectors and shell strings are judged as far as they are known, and
// what is not known counts as harmless: a verdict that something detaches
// rests on known words alone. Nothing is run, read or looked up, so that the
// same arguments always get the same verdict.
//
// Which programs detach, and which merely run another one, stands in tables:
// see table.go.
package argv

import (
	"path"
	"strings"
)

// Hole stands in an [Arg]'s Value, or in a script, for a part that is not
// known at build time. It is a private-use code point, which no real command
// line contains.
const Hole = '\uE000'

// An Arg is one argument of a command line, as far as it is known.
type Arg struct {
	Value  string // may contain [Hole] where a part of it is not known
	Known  bool   // whether anything of Value is known
	Rest   bool   // the Arg stands for any number of further unknown arguments
	Prefix bool   // Value is how the argument starts; how it goes on is not known
}

// A Verdict says what a command line does to the process that it starts.
type Verdict struct {
	Detaches bool
	Program  string // what detaches it, as a person names it: "setsid", "sh -c"
	What     string // what Program does, without its name: "starts the child in …"
}

// The bounds keep a verdict cheap on hostile or generated source.
const (
	// maxScript is the longest script that is judged, in bytes. A longer one
	// is not judged.
	maxScript = 64 << 10

	// maxArgs is how many arguments are looked at.
	maxArgs = 4096

	// maxDepth is how many commands inside commands are followed:
	// sudo env sh -c "nice sh -c '…'" are five.
	maxDepth = 10
)

// Judge judges an argument vector, the program's name first. It reports false
// if it knows neither the program nor, for a shell, what the script says.
// It never fails and is safe for concurrent use.
func Judge(args []Arg) (Verdict, bool) {
	if len(args) > maxArgs {
		args = args[:maxArgs]
	}
	return judge(args, 0)
}

// ShellString judges a script as the shell named lang ("sh", "bash", "zsh", …)
// runs it with -c. It reports false if it cannot parse the script, if the
// script is longer than 64 KiB, or if nothing of it is known.
// It never fails and is safe for concurrent use.
func ShellString(lang, script string) (Verdict, bool) {
	return judgeScript(lang, script, 0)
}

func judge(args []Arg, depth int) (Verdict, bool) {
	if len(args) == 0 || depth > maxDepth {
		return Verdict{}, false
	}
	program, rest := args[0].program(), args[1:]
	if program == "" {
		return judgeUnnamed(rest, depth)
	}
	known := false
	for _, d := range detachers {
		if !d.runs(args[0], program) {
			continue
		}
		known = true
		if d.detaches(rest) {
			return Verdict{Detaches: true, Program: program, What: d.effect}, true
		}
	}
	if shell, ok := shells[program]; ok {
		return shell.judge(program, rest, depth)
	}
	for _, w := range wrappers {
		if hasWord(w.names, program) {
			return w.judge(rest, depth)
		}
	}
	return Verdict{}, known
}

// judgeUnnamed judges the arguments of a program whose name is not known, by
// the arguments that give it away: a shell's -c, tmux's new-session.
func judgeUnnamed(args []Arg, depth int) (Verdict, bool) {
	for _, t := range telltales {
		if !t.matches(args) {
			continue
		}
		if v, ok := judge(append([]Arg{word(t.program)}, args...), depth+1); v.Detaches {
			return v, ok
		}
	}
	return Verdict{}, false
}

// program returns the base name of the program that the argument names, in
// lower case and without .exe, or "" if it is not known.
func (a Arg) program() string {
	value := strings.ReplaceAll(a.text(), `\`, "/")
	base := strings.ToLower(path.Base(value))
	if value == "" || strings.ContainsRune(base, Hole) {
		return ""
	}
	return strings.TrimSuffix(base, ".exe")
}

// text returns what is known of the argument, a [Hole] for each unknown part.
func (a Arg) text() string {
	switch {
	case !a.Known || a.Rest:
		return string(Hole)
	case a.Prefix:
		return a.Value + string(Hole)
	}
	return a.Value
}

// is reports whether the argument is known to be the word.
func (a Arg) is(word string) bool {
	return a.Known && !a.Rest && !a.Prefix && a.Value == word
}

// isOption reports whether the argument is known to start with a dash.
func (a Arg) isOption() bool {
	return a.Known && !a.Rest && len(a.Value) > 1 && a.Value[0] == '-'
}

func word(value string) Arg { return Arg{Value: value, Known: true} }

// hasWord reports whether the space-separated list contains the word.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
