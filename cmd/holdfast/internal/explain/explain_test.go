package explain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/rules"
)

func TestRun(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"a rule", []string{"detached-spawn"}, 0, "detached-spawn: a child is put", ""},
		{"an analyzer's name", []string{"loopblock"}, 0, "loop-block: blocking work", ""},
		{"a word of the ratchet", []string{"stale"}, 0, "ratchet: the baseline", ""},
		{"capitals", []string{"Marker"}, 0, "marker: a marker", ""},
		{"nothing", nil, 0, "loop-block      blocking", ""},
		{"an unknown rule", []string{"SA4006"}, 2, "", `there is no rule "SA4006"`},
		{"two rules", []string{"marker", "ratchet"}, 2, "", "usage: holdfast explain"},
		{"help", []string{"-h"}, 0, "usage: holdfast explain", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := Run(test.args, &stdout, &stderr); code != test.code {
				t.Errorf("exit %d, want %d", code, test.code)
			}
			if !strings.Contains(stdout.String(), test.stdout) || test.stdout == "" && stdout.Len() > 0 {
				t.Errorf("stdout %q, want %q", stdout.String(), test.stdout)
			}
			if !strings.Contains(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stderr %q, want %q", stderr.String(), test.stderr)
			}
		})
	}
}

func TestPagesAreReadableOnATerminal(t *testing.T) {
	for _, rule := range rules.All() {
		page := Page(rule)
		if strings.Contains(page, "```") || strings.Contains(page, "\n#") {
			t.Errorf("page %q has Markdown that a terminal does not show:\n%s", rule.ID, page)
		}
		if before := strings.Split(rule.Before, "\n")[0]; !strings.Contains(page, "\n    "+before+"\n") {
			t.Errorf("page %q does not indent its code %q", rule.ID, before)
		}
		if !strings.HasSuffix(page, "\n"+rule.HelpURI+"\n") {
			t.Errorf("page %q does not end with its address", rule.ID)
		}
	}
}
