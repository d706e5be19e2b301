package suite

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// Excluded judges the files of a folder that no platform of a run builds.
func Excluded(dir string, files []string) ([]*finding.Finding, error) {
	fset := token.NewFileSet()
	diagnostics, err := detachedspawn.Files(fset, dir, files)
	if err != nil {
		return nil, fmt.Errorf("reading files that no platform builds: %w", err)
	}
	var found []*finding.Finding
	for _, d := range diagnostics {
		found = append(found, newFinding(fset, d))
	}
	return found, nil
}

func newFinding(fset *token.FileSet, d analysis.Diagnostic) *finding.Finding {
	start, end := fset.PositionFor(d.Pos, false), fset.PositionFor(d.End, false)
	f := &finding.Finding{
		Category: d.Category,
		Message:  d.Message,
		File:     start.Filename,
		Line:     start.Line,
		Col:      start.Column,
		EndLine:  end.Line,
		EndCol:   end.Column,
	}
	for _, r := range d.Related {
		at := fset.PositionFor(r.Pos, false)
		f.Related = append(f.Related, finding.Related{File: at.Filename, Line: at.Line, Col: at.Column, Message: r.Message})
	}
	return f
}
