package govet

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// decode reads a stream of JSON objects, one for each package.
func (r *Result) decode(stdout io.Reader, progress func()) error {
	decoder := json.NewDecoder(stdout)
	for {
		var tree unit.Tree
		if err := decoder.Decode(&tree); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("decoding JSON: %w", err)
		}
		for id, analyzers := range tree {
			r.add(id, analyzers)
		}
		if progress != nil {
			progress()
		}
	}
}

func (r *Result) add(id string, analyzers map[string][]unit.Diagnostic) {
	path := packageOf(id)
	r.Packages[path] = true
	for name, diagnostics := range analyzers {
		for _, d := range diagnostics {
			r.Findings = append(r.Findings, convert(path, name, d))
		}
	}
}

// convert makes a finding of a diagnostic. Analyzers of other suites often give
// no category; their name says as much.
func convert(path, analyzer string, d unit.Diagnostic) *finding.Finding {
	f := &finding.Finding{
		Category: cmp.Or(d.Category, analyzer),
		Message:  d.Message,
		Package:  path,
	}
	f.File, f.Line, f.Col = unit.ParsePosition(d.Posn)
	_, f.EndLine, f.EndCol = unit.ParsePosition(d.End)
	for _, related := range d.Related {
		out := finding.Related{Message: related.Message}
		out.File, out.Line, out.Col = unit.ParsePosition(related.Posn)
		_, out.EndLine, out.EndCol = unit.ParsePosition(related.End)
		f.Related = append(f.Related, out)
	}
	for _, fix := range d.SuggestedFixes {
		out := finding.Fix{Message: fix.Message}
		for _, e := range fix.Edits {
			out.Edits = append(out.Edits, finding.Edit{File: e.Filename, Start: e.Start, End: e.End, New: e.New})
		}
		f.Fixes = append(f.Fixes, out)
	}
	return f
}
