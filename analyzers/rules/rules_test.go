package rules

import (
	"go/format"
	"strings"
	"testing"
)

func TestEveryPageHasEverySection(t *testing.T) {
	entries, err := pages.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := All()
	if len(entries) != len(all) {
		t.Errorf("%d pages, but All lists %d rules", len(entries), len(all))
	}
	for _, rule := range all {
		fields := map[string]string{
			"Title": rule.Title, "Text": rule.Text, "Before": rule.Before, "After": rule.After,
			"Accept": rule.Accept, "Misses": rule.Misses, "Since": rule.Since,
		}
		for name, field := range fields {
			if strings.TrimSpace(field) == "" {
				t.Errorf("page %q has no %s", rule.ID, name)
			}
		}
		if strings.ContainsAny(rule.Title, "#\n") || strings.HasPrefix(rule.Title, rule.ID) {
			t.Errorf("page %q does not open with \"# %s: title\": got title %q", rule.ID, rule.ID, rule.Title)
		}
	}
}

func TestExamplesAreGofmtted(t *testing.T) {
	for _, rule := range All() {
		for _, code := range []string{rule.Before, rule.After} {
			formatted, err := format.Source([]byte(code))
			if err != nil {
				t.Errorf("page %q: %v\n%s", rule.ID, err, code)
			} else if string(formatted) != code {
				t.Errorf("page %q: gofmt would write\n%s\ninstead of\n%s", rule.ID, formatted, code)
			}
		}
	}
}

func TestFindKnowsOnlyItsPages(t *testing.T) {
	if rule, ok := Find("detached-spawn"); !ok || rule.HelpURI != URL("detached-spawn") {
		t.Errorf("Find(detached-spawn) = %+v, %t", rule, ok)
	}
	for _, id := range []string{"", "no-such-rule", "../rules/marker", "rules"} {
		if rule, ok := Find(id); ok {
			t.Errorf("Find(%q) found %q", id, rule.Title)
		}
	}
}

func TestAReasonOfTheBaselineIsOneOfAMarker(t *testing.T) {
	if err := CheckReason("the daemon must outlive its launcher"); err != nil {
		t.Errorf("a good reason is refused: it %v", err)
	}
	if CheckReason("todo") == nil {
		t.Error(`"todo" passes as a reason`)
	}
}
