package workspace

import (
	"os"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// source is what an editor shows as the origin of a diagnostic.
const source = "holdfast"

// show publishes what is known about a document, unless there is nothing now
// and was nothing before.
func (w *Workspace) show(d *document) {
	diagnostics := w.diagnostics(d)
	if len(diagnostics) == 0 && !d.shown {
		return
	}
	d.shown = len(diagnostics) > 0
	version := d.version
	w.client.Publish(protocol.PublishDiagnostics{URI: d.uri, Version: &version, Diagnostics: diagnostics})
}

func (w *Workspace) diagnostics(d *document) []protocol.Diagnostic {
	diagnostics := []protocol.Diagnostic{}
	for _, f := range d.judged.all() {
		diagnostics = append(diagnostics, w.diagnostic(d.judged, f))
	}
	return diagnostics
}

func (w *Workspace) diagnostic(j *judged, f *finding.Finding) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    rangeOf(j.text, f.Line, f.Col, f.EndLine, f.EndCol),
		Severity: protocol.Warning,
		Code:     f.Category,
		Source:   source,
		Message:  f.Message,
	}
	if _, ok := rules.Find(f.Category); ok {
		out.CodeDescription = &protocol.CodeLink{Href: rules.URL(f.Category)}
	}
	if reason, ok := j.accepted[f]; ok {
		out.Severity = protocol.Hint
		out.Message += " (accepted by the baseline: " + reason + ")"
	}
	if f.Category == rules.LoopAdvice {
		out.Severity = protocol.Information
	}
	if isUnused(f) {
		out.Tags = []int{protocol.Unnecessary}
	}
	for _, r := range f.Related {
		out.RelatedInformation = append(out.RelatedInformation, protocol.Related{
			Location: protocol.Location{
				URI:   w.uriOf(r.File),
				Range: rangeOf(w.textOf(r.File), r.Line, r.Col, r.EndLine, r.EndCol),
			},
			Message: r.Message,
		})
	}
	return out
}

// isUnused reports whether a finding is about a comment that changes nothing.
func isUnused(f *finding.Finding) bool {
	return f.Category == rules.Marker && strings.HasPrefix(f.Message, "unused")
}

// rangeOf returns a range that covers at least the start of a word, so that
// there is something to see. Without a column it is the line.
func rangeOf(t *text.Text, line, col, endLine, endCol int) protocol.Range {
	start := t.At(line, col)
	_, lineEnd := t.Line(start)
	switch {
	case col == 0:
		return t.Range(start, lineEnd)
	case endLine == 0, endLine == line && endCol <= col:
		return t.Range(start, min(start+1, lineEnd))
	}
	return t.Range(start, t.At(endLine, endCol))
}

func (w *Workspace) uriOf(path string) string {
	if d := w.documents[path]; d != nil {
		return d.uri
	}
	return protocol.URI(path)
}

// textOf returns the text of a file as the editor has it, or else the disk.
func (w *Workspace) textOf(path string) *text.Text {
	if d := w.documents[path]; d != nil {
		return d.text
	}
	content, _ := os.ReadFile(path) // of a file that is gone, its beginning is shown
	return text.New(string(content))
}
