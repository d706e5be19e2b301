// Package explain prints what a rule is about: holdfast explain RULE.
package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/rules"
)

const usage = "usage: holdfast explain [RULE]\n"

// Run prints the page of the rule that args name, or the list of rules, and
// returns the exit code: 0, or 2 for a rule that there is not.
func Run(args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 0:
		fmt.Fprint(stdout, List())
		return 0
	case len(args) > 1:
		fmt.Fprint(stderr, usage)
		return 2
	case args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		fmt.Fprint(stdout, usage+"\n"+List())
		return 0
	}
	rule, ok := find(args[0])
	if !ok {
		fmt.Fprintf(stderr, "holdfast: there is no rule %q\n\n%s", args[0], List())
		return 2
	}
	fmt.Fprint(stdout, Page(rule))
	return 0
}

// List returns the rules, one a line.
func List() string {
	var b strings.Builder
	for _, rule := range rules.All() {
		fmt.Fprintf(&b, "%-15s %s\n", rule.ID, rule.Title)
	}
	return b.String()
}

// Page returns a rule's page for a terminal: headings without marks, code
// indented instead of fenced, and the page's address at the end.
func Page(rule rules.Rule) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(rule.Markdown) {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced && line != "\n":
			b.WriteString("    " + line)
		case !fenced && strings.HasPrefix(line, "#"):
			b.WriteString(strings.TrimLeft(line, "# "))
		default:
			b.WriteString(line)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", rule.HelpURI)
	return b.String()
}

// find also takes words that people try for a rule: the analyzer's name, and
// what the ratchet's messages speak of.
func find(name string) (rules.Rule, bool) {
	otherNames := map[string]string{
		"detachedspawn": rules.DetachedSpawn, "loopblock": rules.LoopBlock, "advice": rules.LoopAdvice,
		"markers": rules.Marker, "directive": rules.Marker,
		"baseline": rules.Ratchet, "stale": rules.Ratchet, "grown": rules.Ratchet,
	}
	if id, ok := otherNames[strings.ToLower(name)]; ok {
		name = id
	}
	return rules.Find(strings.ToLower(name))
}
