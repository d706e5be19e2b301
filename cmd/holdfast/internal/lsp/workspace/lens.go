package workspace

import (
	"context"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// Lenses returns what is to be shown above the code that runs on a loop:
// "event loop: Bubble Tea; allows disk".
func (w *Workspace) Lenses(ctx context.Context, p protocol.CodeLensParams) []protocol.CodeLens {
	_, j := w.current(ctx, p.TextDocument.URI, w.Freshness)
	if j == nil {
		return nil
	}
	var lenses []protocol.CodeLens
	for _, f := range j.entries {
		lenses = append(lenses, protocol.CodeLens{
			Range:   rangeOf(j.text, f.Line, f.Col, f.EndLine, f.EndCol),
			Command: &protocol.Command{Title: f.Message}, // nothing to run
		})
	}
	return lenses
}
