package marker

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// tool is the name in front of every directive.
const tool = "holdfast"

// directiveShape is what every directive and near miss looks like.
var directiveShape = regexp.MustCompile(`^([A-Za-z][A-Za-z_-]*)(\s*:\s*)(\S+)(.*)$`)

func verbs() []string {
	return []string{
		string(Loop), string(Worker), string(Blocking), string(Nonblocking), string(Offloop), string(Owns),
	}
}

// Kinds returns the kinds of blocking work that allow= and kinds= may name.
func Kinds() []string {
	return []string{
		"disk", "fsync", "stat", "net", "dns", "exec", "wait", "sleep", "flock", "db", "lock", "stdio", "self",
	}
}

// List returns the comma-separated values of a key, such as "allow" or "kinds".
func (d *Directive) List(key string) []string {
	if d.Values[key] == "" {
		return nil
	}
	return strings.Split(d.Values[key], ",")
}

// Has reports whether the directive carries the word, such as "trust".
func (d *Directive) Has(word string) bool { return slices.Contains(d.Args, word) }

// String returns the directive as it is best written.
func (d *Directive) String() string {
	words := []string{"//" + tool + ":" + string(d.Verb)}
	for _, key := range slices.Sorted(maps.Keys(d.Values)) {
		words = append(words, key+"="+d.Values[key])
	}
	words = append(words, d.Args...)
	if d.Reason != "" && d.Verb != Owns {
		words = append(words, "—")
	}
	if d.Reason != "" {
		words = append(words, d.Reason)
	}
	return strings.Join(words, " ")
}

// parseDirective fills in the directive or the problem that the segment is,
// and reports whether it is one.
func (s *segment) parseDirective() bool {
	part := directiveShape.FindStringSubmatch(s.text)
	if part == nil {
		return false
	}
	name, joint, verb, rest := part[1], part[2], part[3], part[4]
	if to, found := closest(name, []string{tool}); !found || to != tool {
		return false
	}
	if s.tight && !s.block && name == tool && joint == ":" {
		s.readDirective(verb, rest)
		return true
	}
	known, found := closest(verb, verbs())
	if !found || !meansDirective(known, joint, rest) {
		return false
	}
	s.problems = append(s.problems, s.misspeltDirective(known, len(name)+len(joint)+len(verb)))
	return true
}

// meansDirective tells a misspelt directive from a sentence about one.
func meansDirective(verb, joint, rest string) bool {
	words := len(strings.Fields(rest))
	if strings.Contains(rest, "=") || words == 0 {
		return true
	}
	if joint != ":" {
		return false
	}
	return words <= 2 || verb == string(Owns)
}

func (s *segment) misspeltDirective(verb string, length int) Problem {
	right := "//" + tool + ":" + verb
	p := Problem{
		Pos: s.start, End: s.end(),
		Message: fmt.Sprintf("misspelt directive %q says nothing: write %q", s.text[:length], right),
	}
	if !s.block {
		p.Fixes = respell(right, s.start, s.pos+token.Pos(length))
	}
	return p
}

// readDirective reads what is plainly a directive of ours.
func (s *segment) readDirective(verb, rest string) {
	if !slices.Contains(verbs(), verb) {
		s.complainVerb(verb)
		return
	}
	d := &Directive{
		Verb: Verb(verb),
		Pos:  s.start, End: s.end(), Line: s.number, comment: s.comment,
	}
	words, reason := cutReason(rest)
	if d.Verb == Owns {
		words, reason = nil, cleanReason(rest)
	}
	d.Reason = reason
	complaint := d.read(words)
	if complaint != "" {
		s.complain("//%s:%s %s", tool, verb, complaint)
		return
	}
	s.directive = d
}

func (s *segment) complain(format string, args ...any) {
	s.problems = append(s.problems, Problem{Pos: s.start, End: s.end(), Message: fmt.Sprintf(format, args...)})
}

func (s *segment) complainVerb(verb string) {
	right, found := nearest(verb, verbs())
	if !found {
		s.complain("unknown directive //%s:%s: the verbs are %s", tool, verb, strings.Join(verbs(), ", "))
		return
	}
	s.complain("unknown directive //%s:%s: did you mean //%[1]s:%[3]s?", tool, verb, right)
	at := s.pos + token.Pos(len(tool)+1)
	s.problems[len(s.problems)-1].Fixes = respell(right, at, at+token.Pos(len(verb)))
}

// cutReason splits the text after a verb at the first separator that stands alone.
func cutReason(text string) (words []string, reason string) {
	words = strings.Fields(text)
	for i, word := range words {
		switch word {
		case "—", "–", "--", "-":
			return words[:i], cleanReason(strings.Join(words[i:], " "))
		}
	}
	return words, ""
}

// read fills in the words and returns what is wrong with them, or "".
func (d *Directive) read(words []string) string {
	if d.Verb == Owns {
		return Complaint(d.Reason)
	}
	for _, word := range words {
		key, value, isValue := strings.Cut(word, "=")
		complaint := ""
		if isValue {
			complaint = d.set(key, value)
		} else {
			complaint = d.take(word)
		}
		if complaint != "" {
			return complaint
		}
	}
	return ""
}

// keys returns the key=value words that a verb takes.
func (v Verb) keys() []string {
	switch v {
	case Loop:
		return []string{"allow"}
	case Blocking:
		return []string{"kinds"}
	}
	return nil
}

// set takes a key=value word. All values are lists of kinds.
func (d *Directive) set(key, value string) string {
	if !slices.Contains(d.Verb.keys(), key) {
		if len(d.Verb.keys()) == 0 {
			return fmt.Sprintf("takes no %s=", key)
		}
		return fmt.Sprintf("takes no %s=: write %s=…", key, d.Verb.keys()[0])
	}
	if _, again := d.Values[key]; again {
		return fmt.Sprintf("has %s= twice: write one list", key)
	}
	for kind := range strings.SplitSeq(value, ",") {
		if slices.Contains(Kinds(), kind) {
			continue
		}
		if right, found := nearest(kind, Kinds()); found {
			return fmt.Sprintf("has the unknown kind %q: did you mean %q?", kind, right)
		}
		return fmt.Sprintf("has the unknown kind %q: the kinds are %s", kind, strings.Join(Kinds(), ", "))
	}
	if d.Values == nil {
		d.Values = make(map[string]string)
	}
	d.Values[key] = value
	return ""
}

// take takes a word without "=": parameter names for loop and offloop, trust
// for nonblocking, nothing for the others.
func (d *Directive) take(word string) string {
	const elsewhere = `; an explanation goes after " — "`
	switch d.Verb {
	case Loop, Offloop:
		if !token.IsIdentifier(word) {
			return fmt.Sprintf("takes parameter names, and %q is none%s", word, elsewhere)
		}
	case Nonblocking:
		if word != "trust" {
			return fmt.Sprintf("takes only the word trust, not %q%s", word, elsewhere)
		}
	case Blocking:
		return fmt.Sprintf("takes kinds=…, not %q%s", word, elsewhere)
	default:
		return fmt.Sprintf("takes nothing, not %q%s", word, elsewhere)
	}
	if d.Has(word) {
		return fmt.Sprintf("names %q twice", word)
	}
	d.Args = append(d.Args, word)
	return ""
}

// Parse reads the text of a directive behind "//holdfast:", for directives that
// stand elsewhere than in a comment, such as in a flag.
func Parse(text string) (*Directive, error) {
	verb, rest, _ := strings.Cut(text, " ")
	s := new(segment)
	s.readDirective(verb, rest)
	if s.directive == nil {
		return nil, errors.New(s.problems[0].Message)
	}
	return s.directive, nil
}
