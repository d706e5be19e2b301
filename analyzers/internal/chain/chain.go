// Package chain holds the path from a finding to its cause: the hops that a
// fact carries across packages and a report shows with file and line.
package chain

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Hop is one step of a chain: something with a name, written at a place.
// It is gob-safe; positions survive the way into another package as text.
type Hop struct {
	Name string // what stands there, as the message names it
	File string // as the file set names it, usually absolute
	Line int    // 1-based
	Col  int    // 1-based, in bytes; 0 if not known

	pos token.Pos // in the package that made the hop; lost in a fact
}

// At returns the hop for a position of the package under analysis.
func At(fset *token.FileSet, pos token.Pos, name string) Hop {
	p := fset.Position(pos)
	return Hop{Name: name, File: p.Filename, Line: p.Line, Col: p.Column, pos: pos}
}

// Place returns "file.go:12" for a hop in dir and "other/file.go:12" elsewhere.
func (h Hop) Place(dir string) string {
	name := filepath.Base(h.File)
	if parent := filepath.Dir(h.File); parent != dir && parent != "." {
		name = filepath.Base(parent) + "/" + name
	}
	return fmt.Sprintf("%s:%d", name, h.Line)
}

// Compare orders positions by file name first. Their numbers depend on which
// file was parsed first, and some drivers parse several at a time.
func Compare(fset *token.FileSet, a, b token.Pos) int {
	x, y := fset.PositionFor(a, false), fset.PositionFor(b, false)
	return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Offset, y.Offset))
}

// Text returns the hops as "setAttrs (proc.go:12) → Setsid: true (proc_unix.go:4)",
// with places shortened for a reader in dir.
func Text(hops []Hop, dir string) string {
	parts := make([]string, len(hops))
	for i, h := range hops {
		parts[i] = fmt.Sprintf("%s (%s)", h.Name, h.Place(dir))
	}
	return strings.Join(parts, " → ")
}

// Related returns the hops as related information, in their order.
func Related(fset *token.FileSet, hops []Hop) []analysis.RelatedInformation {
	related := make([]analysis.RelatedInformation, 0, len(hops))
	for _, h := range hops {
		pos := h.pos
		if !pos.IsValid() {
			pos, _ = Foreign(fset, h, 0)
		}
		related = append(related, analysis.RelatedInformation{Pos: pos, Message: h.Name})
	}
	return related
}

// Foreign gives positions to the start and the end of something on a line of a
// file that the file set does not hold, because a fact brought it here from
// another package; length is in bytes. The file is registered as empty lines up
// to the hop's, which is all that a printer asks for.
func Foreign(fset *token.FileSet, h Hop, length int) (pos, end token.Pos) {
	before, width := max(h.Line, 1)-1, max(h.Col, 1)
	lines := make([]int, before+1)
	for i := range lines {
		lines[i] = i
	}
	file := fset.AddFile(h.File, -1, before+width+length)
	file.SetLines(lines)
	pos = file.Pos(before + width - 1)
	return pos, pos + token.Pos(length)
}
