// Package finding holds what a run of holdfast has to say about a program:
// one value per place, the same whether it came from go vet, from several
// platforms, or from a file that was read without types.
package finding

import (
	"cmp"
	"slices"
	"strconv"
)

// A Finding is one place in the source that breaks a rule.
//
// Lines and columns are 1-based; columns count bytes, as the go command does.
// A zero Line means that the position inside File is unknown.
type Finding struct {
	// Category is the rule, spelt as in a marker: "detached-spawn", "loop-block", "marker".
	Category string
	// Message says what is wrong and what to do, without position and category.
	Message string
	// Package is the import path, without the " [p.test]" of a test variant.
	Package string
	// File is the absolute path of the source file.
	File                       string
	Line, Col, EndLine, EndCol int
	// Related is the chain behind the finding: the use first, its source last.
	Related []Related
	// Fixes are alternatives; the first is the preferred one.
	Fixes []Fix
	// Platforms are the values of GOOS that report the finding, sorted.
	// Nil means every platform that was run.
	Platforms []string

	// Symbol, Expr and K identify the finding in the ratchet: the enclosing
	// declaration, the normalised expression, and the rank (from 1) among equal
	// ones. Package ratchet fills them in from the source text.
	Symbol, Expr string
	K            int
}

// Related is a further position that explains a finding.
type Related struct {
	File                       string
	Line, Col, EndLine, EndCol int
	Message                    string
}

// A Fix is one way to repair the finding: all of its edits together.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces the bytes [Start, End) of File by New.
// Offsets are 0-based and count bytes.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Position returns "file:line:col", or the part of it that is known.
func (f *Finding) Position() string { return position(f.File, f.Line, f.Col) }

// Position returns "file:line:col", or the part of it that is known.
func (r *Related) Position() string { return position(r.File, r.Line, r.Col) }

func position(file string, line, col int) string {
	switch {
	case line == 0:
		return file
	case col == 0:
		return file + ":" + strconv.Itoa(line)
	default:
		return file + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
	}
}

// Compare orders findings by file, line, column, category and message.
func Compare(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort sorts findings in place in the order of Compare.
func Sort(findings []*Finding) { slices.SortStableFunc(findings, Compare) }
