package argv

import "strings"

// judgeCmd judges what Windows' cmd runs with /c or /k.
func judgeCmd(args []Arg, depth int) (Verdict, bool) {
	line, ok := cmdLine(args)
	if !ok || len(line) > maxScript {
		return Verdict{}, false
	}
	for _, command := range cmdCommands(line) {
		if v := judgeCmdCommand(command, depth); v.Detaches {
			return v, true
		}
	}
	return Verdict{}, true
}

// cmdLine returns what follows /c or /k as one line. cmd reads it so, however
// it was split into arguments.
func cmdLine(args []Arg) (string, bool) {
	for i, a := range args {
		if !a.Known || len(a.Value) < 2 || !hasWord("/c /k", strings.ToLower(a.Value[:2])) {
			continue
		}
		parts := []string{Arg{Value: a.Value[2:], Known: true, Prefix: a.Prefix}.text()}
		for _, a := range args[i+1:] {
			text := a.text()
			if text == "" {
				text = `""`
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, " "), true
	}
	return "", false
}

// cmdCommands splits a line for cmd into commands and those into words. Quotes
// stay on quoted words: start takes one for a window's title.
func cmdCommands(line string) [][]string {
	var commands [][]string
	var words []string
	var current strings.Builder
	quoted := false
	endWord := func() {
		if current.Len() > 0 {
			words = append(words, current.String())
			current.Reset()
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
			current.WriteByte(c)
		case quoted:
			current.WriteByte(c)
		case c == '^' && i+1 < len(line):
			i++
			current.WriteByte(line[i])
		case strings.IndexByte(" \t,;=", c) >= 0:
			endWord()
		case strings.IndexByte("&|()\n", c) >= 0:
			endWord()
			commands = append(commands, words)
			words = nil
		default:
			current.WriteByte(c)
		}
	}
	endWord()
	return append(commands, words)
}

// judgeCmdCommand judges one command of cmd's.
func judgeCmdCommand(words []string, depth int) Verdict {
	for len(words) > 0 && hasWord("@ call @call", strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 {
		return Verdict{}
	}
	if strings.EqualFold(strings.TrimPrefix(words[0], "@"), "start") {
		if startWaits(words[1:]) {
			return Verdict{}
		}
		return Verdict{Detaches: true, Program: "cmd /c start", What: startsApart}
	}
	args := make([]Arg, 0, len(words))
	for _, w := range words {
		args = append(args, word(strings.Trim(w, `"`)))
	}
	v, _ := judge(args, depth+1)
	return v
}

// startWaits reports whether start's options, which precede the program, make
// it wait.
func startWaits(words []string) bool {
	for i, w := range words {
		option := strings.ToLower(w)
		switch {
		case option == "/wait" || option == "/w":
			return true
		case strings.HasPrefix(option, "/"), i == 0 && strings.HasPrefix(w, `"`), i > 0 && strings.EqualFold(words[i-1], "/d"):
		default:
			return false
		}
	}
	return false
}
