package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

func TestGroup(t *testing.T) {
	at := func(rule, file string, line, col int) *finding.Finding {
		return &finding.Finding{Category: rule, File: file, Line: line, Col: col}
	}
	source := func(line, col int) *finding.Finding { return at("detached-spawn", "h.go", line, col) }
	use := func(line, sourceLine, sourceCol int) *finding.Finding {
		f := at("detached-spawn", "a.go", line, 1)
		f.Related = []finding.Related{{File: "b.go", Line: 9}, {File: "h.go", Line: sourceLine, Col: sourceCol}}
		return f
	}
	tests := []struct {
		name     string
		findings []*finding.Finding
		want     string
	}{
		{"uses stand under their source", []*finding.Finding{use(1, 5, 3), use(2, 5, 3), source(5, 3)}, "h.go:5:3+2"},
		{"two sources of a line are told apart", []*finding.Finding{use(1, 5, 9), use(2, 5, 3), source(5, 3), source(5, 9)}, "h.go:5:3+1 h.go:5:9+1"},
		{"a chain without column finds the line", []*finding.Finding{use(1, 5, 0), source(5, 3)}, "h.go:5:3+1"},
		{"a chain with another column finds the line", []*finding.Finding{use(1, 5, 7), source(5, 3)}, "h.go:5:3+1"},
		{"uses of what is no finding", []*finding.Finding{use(1, 5, 3), use(2, 5, 3), source(6, 3)}, "h.go:5:3+2 h.go:6:3+0"},
		{"two places of a line that are no findings", []*finding.Finding{use(1, 5, 3), use(2, 5, 9), use(3, 5, 3)}, "a.go:2:1+1 h.go:5:3+2"},
		{"one use alone is itself", []*finding.Finding{use(1, 5, 3)}, "a.go:1:1+1"},
		{"other rules stand alone", []*finding.Finding{at("marker", "h.go", 5, 3), use(1, 5, 3)}, "a.go:1:1+1 h.go:5:3+0"},
		{"no use is under a marker's finding", []*finding.Finding{use(1, 5, 3), use(2, 5, 3), at("marker", "h.go", 5, 3)}, "h.go:5:3+2 h.go:5:3+0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			finding.Sort(test.findings)
			var got []string
			for _, h := range group(test.findings) {
				got = append(got, fmt.Sprintf("%s+%d", h.first().Position(), len(h.uses)))
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("got %s, want %s", text, test.want)
			}
		})
	}
}
