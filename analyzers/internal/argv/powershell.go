package argv

import (
	"slices"
	"strings"
)

// powerShellValued are PowerShell's own options that take a value, and the
// abbreviations in use, in lower case.
const powerShellValued = "-executionpolicy -ep -ex -exec -windowstyle -w -version -v -inputformat -if -outputformat -of " +
	"-workingdirectory -wd -configurationname -psconsolefile -settingsfile -custompipename"

// judgePowerShell judges what PowerShell runs with -Command, which may be left
// out. A script file and an encoded command are not judged.
func judgePowerShell(args []Arg, depth int) (Verdict, bool) {
	script, ok := powerShellScript(args)
	if !ok || len(script) > maxScript || !hasKnownPart(script) {
		return Verdict{}, false
	}
	for _, s := range powerShellStatements(script) {
		if v := judgeStatement(s, script, depth); v.Detaches {
			return v, true
		}
	}
	return Verdict{}, true
}

// powerShellScript returns the arguments that make up the command, joined by
// spaces as PowerShell joins them.
func powerShellScript(args []Arg) (string, bool) {
	for i := 0; i < len(args); i++ {
		option := strings.ToLower(args[i].Value)
		switch {
		case !args[i].Known, hasWord("-f -file -e -ec -enc -encodedcommand", option):
			if args[i].Known {
				return "", false
			}
		case len(option) > 1 && strings.HasPrefix("-command", option):
			return joinTexts(args[i+1:]), true
		case hasWord(powerShellValued, option):
			i++
		case !strings.HasPrefix(option, "-"):
			return joinTexts(args[i:]), true
		}
	}
	return "", false
}

func joinTexts(args []Arg) string {
	texts := make([]string, 0, len(args))
	for _, a := range args {
		texts = append(texts, a.text())
	}
	return strings.Join(texts, " ")
}

// judgeStatement judges one statement of a script.
func judgeStatement(words []string, script string, depth int) Verdict {
	if len(words) == 0 {
		return Verdict{}
	}
	name := strings.ToLower(words[0])
	effect, ok := powerShellCommands[name]
	switch {
	case !ok:
		return judgeNative(words, depth)
	case effect == startsApart && waitsForProcess(words, script):
		return Verdict{}
	case effect == startsByWMI && !createsProcess(words):
		return Verdict{}
	}
	return Verdict{Detaches: true, Program: words[0], What: effect}
}

// judgeNative judges a program that PowerShell runs.
func judgeNative(words []string, depth int) Verdict {
	args := make([]Arg, 0, len(words))
	for _, w := range words {
		args = append(args, word(w))
	}
	v, _ := judge(args, depth+1)
	return v
}

// waitsForProcess reports whether Start-Process waits, or the script does.
func waitsForProcess(words []string, script string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return hasWord("-wait -wai -wa", strings.ToLower(w)) }) {
		return true
	}
	script = strings.ToLower(script)
	return strings.Contains(script, "waitforexit") || strings.Contains(script, "wait-process")
}

// createsProcess reports whether a WMI call is Win32_Process's Create.
func createsProcess(words []string) bool {
	line := strings.ToLower(strings.Join(words, " "))
	return strings.Contains(line, "win32_process") && strings.Contains(line, "create")
}

// powerShellStatements splits a script into statements and those into words.
// What stands in parentheses or braces is a statement of its own, and the one
// around parentheses goes on after them. A quoted word keeps its opening
// quote, so that it is never taken for a command.
func powerShellStatements(script string) [][]string {
	s := powerShellScanner{text: script, open: [][]string{nil}}
	for s.pos < len(s.text) {
		s.next()
	}
	s.endWord()
	return append(s.done, s.open...)
}

// A powerShellScanner is where a script has been read to.
type powerShellScanner struct {
	text    string
	pos     int
	current strings.Builder
	open    [][]string // the statements around this place, innermost last
	done    [][]string
}

func (s *powerShellScanner) next() {
	c := s.text[s.pos]
	s.pos++
	switch {
	case c == '`' && s.pos < len(s.text):
		s.escaped()
	case c == '\'' || c == '"':
		s.quoted(c)
	case c == '#' && s.current.Len() == 0:
		s.skipTo("\n")
	case c == '<' && strings.HasPrefix(s.text[s.pos:], "#"):
		s.skipTo("#>")
	case c == ' ' || c == '\t' || c == '\r':
		s.endWord()
	case c == '(' || c == '{':
		s.endWord()
		s.open = append(s.open, nil)
	case c == ')' || c == '}':
		s.close(c == '}')
	case c == '=' && s.isAssignment():
		s.current.Reset()
		s.open[len(s.open)-1] = nil
	case strings.IndexByte(";|&\n", c) >= 0:
		s.endStatement()
	default:
		s.current.WriteByte(c)
	}
}

// escaped takes the character after a backtick as it is; a line end goes away.
func (s *powerShellScanner) escaped() {
	if c := s.text[s.pos]; c != '\n' {
		s.current.WriteByte(c)
	}
	s.pos++
}

// quoted takes a string up to its closing quote. A doubled quote and, in
// double quotes, one after a backtick do not close it.
func (s *powerShellScanner) quoted(quote byte) {
	if s.current.Len() == 0 {
		s.current.WriteByte(quote)
	}
	for ; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		next := s.pos+1 < len(s.text) && s.text[s.pos+1] == quote
		if c == '`' && quote == '"' || c == quote && next {
			s.pos++
			continue
		}
		if c == quote {
			s.pos++
			return
		}
		s.current.WriteByte(c)
	}
}

func (s *powerShellScanner) skipTo(end string) {
	if i := strings.Index(s.text[s.pos:], end); i >= 0 {
		s.pos += i + len(end)
		return
	}
	s.pos = len(s.text)
}

// isAssignment reports whether the = that was read follows a variable.
func (s *powerShellScanner) isAssignment() bool {
	words := s.open[len(s.open)-1]
	return strings.HasPrefix(s.current.String(), "$") ||
		s.current.Len() == 0 && len(words) == 1 && strings.HasPrefix(words[0], "$")
}

func (s *powerShellScanner) endWord() {
	if s.current.Len() > 0 {
		last := len(s.open) - 1
		s.open[last] = append(s.open[last], s.current.String())
		s.current.Reset()
	}
}

func (s *powerShellScanner) endStatement() {
	s.endWord()
	last := len(s.open) - 1
	s.done = append(s.done, s.open[last])
	s.open[last] = nil
}

// close ends what a parenthesis or brace opened; a block also ends the
// statement that it belongs to.
func (s *powerShellScanner) close(block bool) {
	s.endStatement()
	if len(s.open) > 1 {
		s.open = s.open[:len(s.open)-1]
	}
	if block {
		s.endStatement()
	}
}
