package workspace

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/analyzers/markers"
	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// maxHoverFindings bounds a hover, which is read at a glance.
const maxHoverFindings = 5

// hoverWait is how long a hover waits for the result of the text at hand.
const hoverWait = 3 * time.Second

// Hover explains the marker or directive at a position: what it does, whether
// it is still needed, and what would be reported without it. To know that, the
// package is judged once more with the comment blanked out. The result is nil
// for every other place.
func (w *Workspace) Hover(ctx context.Context, p protocol.HoverParams) (*protocol.Hover, error) {
	w.mu.Lock()
	d := w.document(p.TextDocument.URI)
	var t *text.Text
	if d != nil {
		t = d.text
	}
	w.mu.Unlock()
	if t == nil {
		return nil, nil
	}
	note := noteAt(t, t.Offset(p.Position))
	if note == nil {
		return nil, nil
	}
	lines := []string{"**holdfast** `" + note.Text + "`", w.meaning(t, note)}
	verdict, err := w.verdict(ctx, d, t, note)
	if err != nil {
		return nil, err
	}
	lines = append(lines, verdict...)
	at := t.Range(note.Start, note.End)
	return &protocol.Hover{Contents: protocol.Markup{Kind: "markdown", Value: strings.Join(lines, "\n\n")}, Range: &at}, nil
}

func noteAt(t *text.Text, offset int) *markers.Note {
	for _, note := range markers.Read([]byte(t.String())) {
		if note.Start <= offset && offset <= note.End {
			return &note
		}
	}
	return nil
}

func (w *Workspace) meaning(t *text.Text, note *markers.Note) string {
	if note.Rule == "" {
		return note.Meaning()
	}
	start, end := t.Line(t.At(note.Covers, 1))
	return fmt.Sprintf("Accepts what [%s](%s) has to say about line %d: `%s`",
		note.Rule, rules.URL(note.Rule), note.Covers, strings.TrimSpace(t.String()[start:end]))
}

// verdict says whether the comment is needed, by what is reported with and
// without it.
func (w *Workspace) verdict(ctx context.Context, d *document, t *text.Text, note *markers.Note) ([]string, error) {
	_, j := w.current(ctx, d.uri, hoverWait)
	if j == nil || j.text != t || j.failed {
		return []string{"The package cannot be judged at the moment, so whether it is needed is not known."}, nil
	}
	if slices.ContainsFunc(j.findings, func(f *finding.Finding) bool { return isUnused(f) && f.Line == note.Line }) {
		return []string{"**Not needed any more**: nothing would be reported without it. Delete it."}, nil
	}
	without, err := w.without(ctx, d.path, t, note)
	if err != nil {
		return nil, err
	}
	silenced, caused := compare(j.findings, without)
	lines := list("**Still needed.** Without it:", silenced)
	lines = append(lines, list("Because of it:", caused)...)
	if lines == nil {
		lines = []string{"**Still needed** by other packages: nothing changes in this one without it."}
	}
	return lines, nil
}

// without judges the file's package as if the comment were not there. Blanks
// take its place, so that all positions stay.
func (w *Workspace) without(ctx context.Context, path string, t *text.Text, note *markers.Note) ([]*finding.Finding, error) {
	content := t.String()
	blanks := strings.Repeat(" ", max(note.End-note.Start-2, 0))
	w.mu.Lock()
	texts := maps.Clone(w.texts())
	ask := w.probe
	w.mu.Unlock()
	if ask == nil {
		return nil, nil
	}
	texts[path] = text.New(content[:note.Start] + "//" + blanks + content[note.End:])
	judgement, err := ask(probe{ctx, filepath.Dir(path), texts})
	if err != nil {
		return nil, fmt.Errorf("judging the package without the comment: %w", err)
	}
	return slices.DeleteFunc(judgement.Findings, func(f *finding.Finding) bool { return f.File != path }), nil
}

// compare returns what is only in the one and only in the other.
func compare(with, without []*finding.Finding) (silenced, caused []*finding.Finding) {
	return missing(without, with), missing(with, without)
}

func missing(from, in []*finding.Finding) []*finding.Finding {
	return slices.DeleteFunc(slices.Clone(from), func(f *finding.Finding) bool {
		return slices.ContainsFunc(in, func(other *finding.Finding) bool { return finding.Compare(f, other) == 0 })
	})
}

func list(title string, findings []*finding.Finding) []string {
	if len(findings) == 0 {
		return nil
	}
	for i, f := range findings {
		if i == maxHoverFindings {
			title += fmt.Sprintf("\n- and %d more", len(findings)-i)
			break
		}
		title += fmt.Sprintf("\n- line %d: %s (%s)", f.Line, f.Message, f.Category)
	}
	return []string{title}
}
