package marker

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// separators may stand between "ok" and the reason. All of them are taken;
// String writes the first.
const separators = "—–-:,;. \t"

// accept is the word of a marker.
const accept = "ok"

// otherWords are what people write instead of ok.
var otherWords = map[string]bool{
	"okay": true, "allow": true, "allowed": true, "accept": true, "accepted": true, "ignore": true, "ignored": true,
}

// markerShape is what every marker and near miss looks like: a name of one or
// two words, something between, a word, and the rest.
var markerShape = regexp.MustCompile(`^([A-Za-z]+(?:[-_ ]?[A-Za-z]+)?)(\s*[:=]\s*|\s+(?:[-–—]+\s+)?)([A-Za-z]+)(.*)$`)

// rules returns the rules that have a marker.
func rules() []string { return []string{string(DetachedSpawn), string(LoopBlock)} }

// String returns the marker as it is best written.
func (m *Marker) String() string {
	return fmt.Sprintf("// %s: %s — %s", m.Rule, accept, m.Reason)
}

// stems returns what text of ours has one of, however it is misspelt.
func stems() [15]string {
	return [...]string{
		"loop", "block", "detach", "spawn", "hold",
		"Loop", "Block", "Detach", "Spawn", "Hold",
		"LOOP", "BLOCK", "DETACH", "SPAWN", "HOLD",
	}
}

// mayMatter reports cheaply whether text can hold anything of ours.
func mayMatter(text string) bool {
	for _, stem := range stems() {
		if strings.Contains(text, stem) {
			return true
		}
	}
	return false
}

// parse fills in what the segment is and reports whether it is anything.
func (s *segment) parse() bool {
	if !mayMatter(s.text) {
		return false
	}
	if s.parseDirective() {
		return true
	}
	m, near := parseMarker(s.text)
	switch {
	case near != nil:
		s.problems = append(s.problems, s.misspelt(near))
	case m != nil:
		m.Pos, m.End, m.Line, m.last = s.start, s.end(), s.number, s.number
		m.comment = s.comment
		s.marker = m
	}
	return m != nil || near != nil
}

// A nearMiss is a marker whose intent is plain and whose spelling is wrong.
type nearMiss struct {
	rule  Rule
	wrong string // what stands in the source, up to the word for ok
}

// parseMarker reads one segment. Both results are nil for other text.
func parseMarker(text string) (*Marker, *nearMiss) {
	part := markerShape.FindStringSubmatch(text)
	if part == nil {
		return nil, nil
	}
	name, joint, word, rest := part[1], part[2], part[3], part[4]
	if glued(rest) || !strings.EqualFold(word, accept) && !otherWords[strings.ToLower(word)] {
		return nil, nil
	}
	rule, found := closest(name, rules())
	if !found {
		return nil, nil
	}
	if name == rule && word == accept && strings.HasPrefix(joint, ":") {
		return &Marker{Rule: Rule(rule), Reason: cleanReason(rest)}, nil
	}
	if !meansMarker(name, rule, joint, word, rest) {
		return nil, nil
	}
	return nil, &nearMiss{rule: Rule(rule), wrong: text[:len(text)-len(rest)]}
}

// meansMarker tells a misspelt marker from a sentence that merely begins like one.
func meansMarker(name, rule, joint, word, rest string) bool {
	ok := strings.EqualFold(word, accept)
	ends := strings.Trim(rest, separators) == "" || separated(rest)
	if strings.ContainsAny(joint, ":=") {
		return ok || ends
	}
	return ok && !strings.Contains(name, " ") && (ends || name == rule)
}

// separated reports whether text starts with a separator that prose would not have there.
func separated(text string) bool {
	text = strings.TrimLeft(text, " \t")
	for _, separator := range []string{"—", "–", "--", "- ", ":"} {
		if strings.HasPrefix(text, separator) {
			return true
		}
	}
	return false
}

// glued reports whether the word before goes on, as in "ok-ish".
func glued(rest string) bool {
	rest = strings.TrimPrefix(rest, "-")
	return rest != "" && (rest[0] == '_' || '0' <= rest[0] && rest[0] <= '9' || isLetter(rest[0]))
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func cleanReason(text string) string {
	return strings.Join(strings.Fields(strings.TrimLeft(text, separators)), " ")
}

// misspelt returns the problem of a near miss, with the right spelling as its fix.
func (s *segment) misspelt(near *nearMiss) Problem {
	right := fmt.Sprintf("%s: %s", near.rule, accept)
	return Problem{
		Pos: s.start, End: s.end(),
		Message: fmt.Sprintf("misspelt marker %q accepts nothing: write %q", near.wrong, right+" — reason"),
		Fixes:   respell(right, s.pos, s.pos+token.Pos(len(near.wrong))),
	}
}

func respell(right string, pos, end token.Pos) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("Write %q", right),
		TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(right)}},
	}}
}
