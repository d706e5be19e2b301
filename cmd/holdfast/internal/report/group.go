package report

import (
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// A helper is one place that detaches and the findings that lead to it. A
// finding of another rule is a helper without uses.
type helper struct {
	source *finding.Finding   // the finding at the place itself; nil if the run has none
	at     finding.Related    // the place, if there is no source
	uses   []*finding.Finding // by position
}

// group puts the uses of a helper under the literal or call that detaches, which
// is the last of their related places. Findings are sorted by position, and so
// are the helpers.
func group(findings []*finding.Finding) []*helper {
	var helpers []*helper
	known := make(map[position]*helper)
	for _, f := range findings {
		if isUse(f) {
			continue
		}
		h := &helper{source: f}
		helpers = append(helpers, h)
		if f.Category == rules.DetachedSpawn {
			remember(known, h, position{f.File, f.Line, f.Col})
		}
	}
	for _, f := range findings {
		if !isUse(f) {
			continue
		}
		at := f.Related[len(f.Related)-1]
		h := find(known, position{at.File, at.Line, at.Col})
		if h == nil {
			h = &helper{at: at}
			helpers = append(helpers, h)
			remember(known, h, position{at.File, at.Line, at.Col})
		}
		h.uses = append(h.uses, f)
	}
	slices.SortStableFunc(helpers, func(a, b *helper) int { return finding.Compare(a.first(), b.first()) })
	return helpers
}

// isUse reports whether a finding leads to a place that detaches elsewhere.
func isUse(f *finding.Finding) bool {
	return f.Category == rules.DetachedSpawn && len(f.Related) > 0
}

type position struct {
	file      string
	line, col int
}

// remember notes a helper for its position and, if it is the line's first, for
// its line: a chain does not always carry the column that a finding starts at.
func remember(known map[position]*helper, h *helper, at position) {
	known[at] = h
	line := position{file: at.file, line: at.line}
	if known[line] == nil {
		known[line] = h
	}
}

func find(known map[position]*helper, at position) *helper {
	if h := known[at]; h != nil {
		return h
	}
	h := known[position{file: at.file, line: at.line}]
	if h != nil && h.source == nil && at.col > 0 {
		return nil // another place of that line, which no finding stands at
	}
	return h
}

// first returns the finding that the helper is shown at.
func (h *helper) first() *finding.Finding {
	switch {
	case h.source != nil:
		return h.source
	case len(h.uses) == 1:
		return h.uses[0]
	}
	return &finding.Finding{File: h.at.File, Line: h.at.Line, Col: h.at.Col}
}
