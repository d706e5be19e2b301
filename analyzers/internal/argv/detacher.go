package argv

import (
	"path"
	"slices"
	"strings"
)

// A call is what a detacher was given.
type call struct {
	options  options // how given was parsed
	args     []Arg
	given    []option // before the first operand
	operands []Arg
}

// runs reports whether the argument, whose base name is program, names d.
func (d detacher) runs(arg Arg, program string) bool {
	return hasWord(d.names, program) && (!d.everyday || inSystemPath(arg.Value))
}

// systemDirectories are where a program of an everyday name is the system's.
const systemDirectories = ". /bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin"

func inSystemPath(name string) bool {
	if strings.HasPrefix(name, "./") {
		return false
	}
	if strings.Contains(name, `\`) {
		return strings.Contains(strings.ToLower(name), `\system32\`)
	}
	return hasWord(systemDirectories, path.Dir(name))
}

// detaches reports whether d, given the arguments, detaches something.
func (d detacher) detaches(args []Arg) bool {
	c := call{options: d.options, args: args}
	c.given, c.operands = d.options.split(args)
	return !c.asksForHelp() && d.when(c)
}

// asksForHelp reports whether the program only prints something about itself.
func (c call) asksForHelp() bool {
	if _, ok := find(c.given, "help version"); ok {
		return true
	}
	return len(c.args) == 1 && (c.args[0].is("-h") || c.args[0].is("-V"))
}

func always(call) bool { return true }

func hasCommand(c call) bool { return len(c.operands) > 0 }

func hasNoOperands(c call) bool { return len(c.operands) == 0 }

func all(conditions ...func(call) bool) func(call) bool {
	return func(c call) bool {
		return !slices.ContainsFunc(conditions, func(holds func(call) bool) bool { return !holds(c) })
	}
}

// with reports whether one of the options stands before the operands.
func with(names string) func(call) bool {
	return func(c call) bool {
		_, ok := find(c.given, names)
		return ok
	}
}

func without(names string) func(call) bool {
	given := with(names)
	return func(c call) bool { return !given(c) }
}

// anywhere reports whether one of the options stands before a "--".
func anywhere(names string) func(call) bool {
	return func(c call) bool {
		_, ok := find(c.options.permuted(c.args), names)
		return ok
	}
}

// verb reports whether the first operand is one of the words. After \\host, as
// some Windows programs take it, the command acts elsewhere.
func verb(words string) func(call) bool {
	return func(c call) bool {
		return len(c.operands) > 0 && c.operands[0].Known && hasWord(words, strings.ToLower(c.operands[0].Value))
	}
}

// slash reports whether one of the words stands as an option of Windows'.
func slash(words string) func(call) bool {
	return func(c call) bool {
		return slices.ContainsFunc(c.args, func(a Arg) bool {
			return a.Known && len(a.Value) > 1 && strings.ContainsRune("/-", rune(a.Value[0])) &&
				hasWord(words, strings.ToLower(a.Value[1:]))
		})
	}
}

// inOrder reports whether the words are the first arguments.
func inOrder(words ...string) func(call) bool {
	return func(c call) bool {
		return len(c.args) >= len(words) && slices.EqualFunc(c.args[:len(words)], words,
			func(a Arg, word string) bool { return a.Known && strings.EqualFold(a.Value, word) })
	}
}

// schedulesJob reports whether at is given a time, and not asked about jobs.
// The time must look like one: at is a common word.
func schedulesJob(c call) bool {
	if _, ok := find(c.given, "c l r d b V"); ok {
		return false
	}
	if _, ok := find(c.given, "f t m M"); ok {
		return true
	}
	return len(c.operands) > 0 && looksLikeTime(c.operands[0])
}

// timeWords are the words with which a time for at(1) can start, besides
// digits, weekdays and months.
const timeWords = "now midnight noon teatime today tomorrow next " +
	"mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec"

func looksLikeTime(a Arg) bool {
	value := strings.ToLower(a.text())
	first, _, _ := strings.Cut(value, " ")
	if first == "" || first[0] >= '0' && first[0] <= '9' || strings.ContainsRune(first, Hole) {
		return true
	}
	return hasWord(timeWords, first) || len(first) > 3 && strings.HasSuffix(first, "day") && hasWord(timeWords, first[:3])
}

// makesDetachedSession reports whether one of tmux's commands, separated by
// ";", is new-session -d. tmux takes "new" and any unambiguous prefix for it.
func makesDetachedSession(c call) bool {
	for command := range commands(c.operands) {
		for len(command) > 0 && (!command[0].Known || command[0].Rest) {
			command = command[1:]
		}
		if len(command) == 0 || !isNewSession(command[0]) {
			continue
		}
		if _, ok := find(newSession.permuted(command[1:]), "d"); ok {
			return true
		}
	}
	return false
}

func isNewSession(a Arg) bool {
	return a.is("new") || len(a.Value) >= len("new-s") && strings.HasPrefix("new-session", a.Value)
}

// commands splits tmux's command line at ";", alone or at the end of a word.
func commands(args []Arg) func(yield func([]Arg) bool) {
	return func(yield func([]Arg) bool) {
		start := 0
		for i, a := range args {
			if a.Known && strings.HasSuffix(a.Value, ";") {
				if !yield(args[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(args[start:])
	}
}
