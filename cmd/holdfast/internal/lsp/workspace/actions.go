package workspace

import (
	"context"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/analyzers/markers"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
)

// Actions returns what can be done about the findings in a range: the fixes
// that the suite suggests, and a marker that accepts the finding.
func (w *Workspace) Actions(ctx context.Context, p protocol.CodeActionParams) []protocol.CodeAction {
	if !wantsQuickFix(p.Context.Only) {
		return nil
	}
	d, j := w.current(ctx, p.TextDocument.URI, w.Freshness)
	if j == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var actions []protocol.CodeAction
	for _, f := range j.all() {
		diagnostic := w.diagnostic(j, f)
		if !overlap(diagnostic.Range, p.Range) {
			continue
		}
		for i, fix := range f.Fixes {
			if edit := w.edit(fix); edit != nil {
				actions = append(actions, protocol.CodeAction{
					Title: fix.Message, Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{diagnostic},
					IsPreferred: i == 0, Edit: edit,
				})
			}
		}
		if fix, ok := addMarker(d.path, j.text, f); ok {
			if edit := w.edit(fix); edit != nil {
				actions = append(actions, protocol.CodeAction{
					Title: fix.Message, Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{diagnostic}, Edit: edit,
				})
			}
		}
	}
	return actions
}

func wantsQuickFix(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(kind string) bool {
		return kind == protocol.QuickFix || kind == ""
	})
}

func overlap(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// current returns a document and what is known about the text that it has now.
// It waits for that, but no longer than the given time.
func (w *Workspace) current(ctx context.Context, uri string, wait time.Duration) (*document, *judged) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		w.mu.Lock()
		d, changed := w.document(uri), w.changed
		if d == nil {
			w.mu.Unlock()
			return nil, nil
		}
		j := d.judged
		fresh := j != nil && j.text == d.text
		w.mu.Unlock()
		if fresh {
			return d, j
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-changed:
		}
	}
}

// edit returns a fix as the editor takes it, or nil if one of its files is open
// with text that the fix was not made for.
func (w *Workspace) edit(fix finding.Fix) *protocol.WorkspaceEdit {
	edits := make(map[string][]protocol.TextEdit) // by path
	for _, e := range fix.Edits {
		d := w.documents[e.File]
		if d != nil && (d.judged == nil || d.judged.text != d.text) {
			return nil
		}
		edits[e.File] = append(edits[e.File], protocol.TextEdit{Range: w.textOf(e.File).Range(e.Start, e.End), NewText: e.New})
	}
	out := new(protocol.WorkspaceEdit)
	for path, list := range edits {
		if !w.capabilities.Workspace.WorkspaceEdit.DocumentChanges {
			if out.Changes == nil {
				out.Changes = make(map[string][]protocol.TextEdit)
			}
			out.Changes[w.uriOf(path)] = list
			continue
		}
		document := protocol.VersionedDocument{URI: w.uriOf(path)}
		if d := w.documents[path]; d != nil {
			version := d.version
			document.Version = &version
		}
		out.DocumentChanges = append(out.DocumentChanges, protocol.DocumentEdit{TextDocument: document, Edits: list})
	}
	return out
}

// addMarker returns the fix that puts a marker on a line of its own above the
// finding, for the person to give the reason.
func addMarker(path string, t *text.Text, f *finding.Finding) (finding.Fix, bool) {
	if !markers.HasMarker(f.Category) || f.Line == 0 {
		return finding.Fix{}, false
	}
	content := t.String()
	start, end := t.Line(t.At(f.Line, 1))
	if insideToken(content, start) {
		return finding.Fix{}, false // the line begins in a string that began above it
	}
	line := content[start:end]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	newline := "\n"
	if strings.HasPrefix(content[end:], "\r\n") {
		newline = "\r\n"
	}
	return finding.Fix{
		Message: "Add " + f.Category + " marker with a reason…",
		Edits:   []finding.Edit{{File: path, Start: start, End: start, New: indent + markers.Placeholder(f.Category) + newline}},
	}, true
}

// insideToken reports whether an offset lies in a string or comment of several
// lines.
func insideToken(content string, offset int) bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(content))
	var s scanner.Scanner
	s.Init(file, []byte(content), nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		start := file.Offset(pos)
		if tok == token.EOF || start >= offset {
			return false
		}
		if tok.IsLiteral() && offset < start+len(literal) || tok == token.COMMENT && offset < start+len(literal) {
			return true
		}
	}
}
