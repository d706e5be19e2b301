// Package rules describes what the suite checks, for everything that explains
// a finding to a person: holdfast explain, the help in a SARIF report, an
// analyzer's URL. Each rule is one page of Markdown beside this file.
package rules

import (
	"embed"
	"errors"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
)

// The IDs of the rules; a finding's category is one of them.
const (
	DetachedSpawn = string(marker.DetachedSpawn)
	LoopBlock     = string(marker.LoopBlock)
	LoopAdvice    = "loop-advice" // never fails a run
	Marker        = "marker"
	Ratchet       = "ratchet" // stale and grown entries of the baseline
)

// A Rule is one page, taken apart.
type Rule struct {
	ID     string // as a finding's category and a marker spell it
	Title  string // one line, without the ID
	Text   string // Markdown: what is wrong and why it matters
	Before string // Go code that breaks the rule
	After  string // the same code repaired
	Accept string // Markdown: how to accept one finding
	Misses string // Markdown: what the rule does not catch
	Since  string // the first release that had the rule

	Markdown string // the whole page
	HelpURI  string // the page on the web
}

// URL returns the address of a rule's page.
func URL(id string) string {
	return "https://github.com/holdfast-go/holdfast/blob/main/analyzers/rules/" + id + ".md"
}

// All returns the rules in the order in which a newcomer meets them.
func All() []Rule {
	ids := []string{DetachedSpawn, LoopBlock, LoopAdvice, Marker, Ratchet}
	rules := make([]Rule, 0, len(ids))
	for _, id := range ids {
		rule, _ := Find(id)
		rules = append(rules, rule)
	}
	return rules
}

// Find returns the rule with the given ID.
func Find(id string) (Rule, bool) {
	page, err := pages.ReadFile(id + ".md")
	if err != nil {
		return Rule{}, false
	}
	return parse(id, string(page)), true
}

// CheckReason returns nil for a reason that would do in a marker, and otherwise
// an error that ends a sentence: "has too short a reason: say why in …".
func CheckReason(reason string) error {
	if complaint := marker.Complaint(reason); complaint != "" {
		return errors.New(complaint)
	}
	return nil
}

//go:embed *.md
var pages embed.FS

// parse reads "# id: title", the text, and one "## " section a field.
func parse(id, page string) Rule {
	sections := strings.Split(strings.ReplaceAll(page, "\r\n", "\n"), "\n## ")
	heading, text, _ := strings.Cut(sections[0], "\n")
	rule := Rule{
		ID:       id,
		Title:    strings.TrimPrefix(heading, "# "+id+": "),
		Text:     strings.TrimSpace(text),
		Markdown: page,
		HelpURI:  URL(id),
	}
	for _, section := range sections[1:] {
		name, body, _ := strings.Cut(section, "\n")
		body = strings.TrimSpace(body)
		switch name {
		case "Before":
			rule.Before = code(body)
		case "After":
			rule.After = code(body)
		case "How to accept one":
			rule.Accept = body
		case "What it does not catch":
			rule.Misses = body
		case "Since":
			rule.Since = body
		}
	}
	return rule
}

// code returns what stands in a section's fence.
func code(body string) string {
	_, body, _ = strings.Cut(body, "```go\n")
	body, _, _ = strings.Cut(body, "```")
	return body
}
