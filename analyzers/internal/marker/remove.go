package marker

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// RemoveMarker returns the fix that deletes a marker and the lines its reason
// wraps onto, or nil where that would take other text along.
func (f *File) RemoveMarker(m *Marker) []analysis.SuggestedFix {
	return f.remove("Delete the unused marker", m.comment, m.Pos, m.End, m.Line, m.last, m.Alone)
}

// RemoveDirective returns the fix that deletes a directive.
func (f *File) RemoveDirective(d *Directive) []analysis.SuggestedFix {
	return f.remove("Delete the unused directive", d.comment, d.Pos, d.End, d.Line, d.Line, d.Covers != d.Line)
}

func (f *File) remove(message string, comment *ast.Comment, pos, end token.Pos, first, last int, alone bool) []analysis.SuggestedFix {
	if strings.HasPrefix(comment.Text, "/*") {
		return nil
	}
	whole := pos == comment.Pos() && end == pos+token.Pos(len(strings.TrimRight(comment.Text, " \t")))
	if alone && whole {
		pos, end = lineStart(f.file, first), lineStart(f.file, last+1)
	}
	return []analysis.SuggestedFix{{
		Message:   message,
		TextEdits: []analysis.TextEdit{{Pos: pos, End: end}},
	}}
}
