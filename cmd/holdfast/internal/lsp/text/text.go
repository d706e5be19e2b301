// Package text holds the text of a document and translates between the ways in
// which editors, compilers and files count positions in it.
package text

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// A Text is the text of a file at one time. It is immutable and safe for
// concurrent use.
type Text struct {
	content string
	lines   []int // offsets at which lines begin
}

// New returns a text.
func New(content string) *Text {
	t := &Text{content: content, lines: []int{0}}
	for i := 0; i < len(content); i++ {
		switch content[i] {
		case '\r': // alone it ends a line in the protocol, but not in Go
			if i+1 < len(content) && content[i+1] == '\n' {
				i++
			}
			t.lines = append(t.lines, i+1)
		case '\n':
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// String returns the text.
func (t *Text) String() string { return t.content }

// Offset returns the byte offset of a position. As the protocol has it, a
// character behind the end of a line is the end of the line; so is a line behind
// the last one the end of the text. A position inside of a character is its start.
func (t *Text) Offset(p protocol.Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.content)
	}
	offset, end := t.lines[p.Line], t.lineEnd(p.Line)
	for units := 0; offset < end; {
		r, size := utf8.DecodeRuneInString(t.content[offset:end])
		units += unitsOf(r)
		if units > p.Character {
			break
		}
		offset += size
	}
	return offset
}

// Position returns the position of a byte offset. An offset inside of a character
// is that of its start.
func (t *Text) Position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(t.content))
	line := sort.SearchInts(t.lines, offset+1) - 1
	character := 0
	for at := t.lines[line]; at < offset; {
		r, size := utf8.DecodeRuneInString(t.content[at:])
		if at += size; at <= offset {
			character += unitsOf(r)
		}
	}
	return protocol.Position{Line: line, Character: character}
}

// Range returns the range between byte offsets.
func (t *Text) Range(start, end int) protocol.Range {
	return protocol.Range{Start: t.Position(start), End: t.Position(max(start, end))}
}

// At returns the byte offset of a line and a column as the go command counts
// them: from 1, columns in bytes, lines by line feeds alone. A line of 0 is
// the beginning of the text, a column of 0 that of the line.
func (t *Text) At(line, column int) int {
	offset := 0
	for range line - 1 {
		next := strings.IndexByte(t.content[offset:], '\n')
		if next < 0 {
			return len(t.content)
		}
		offset += next + 1
	}
	return min(offset+max(column-1, 0), len(t.content))
}

// Line returns the byte offsets of the line around an offset, without its end.
func (t *Text) Line(offset int) (start, end int) {
	offset = min(max(offset, 0), len(t.content))
	start = strings.LastIndexByte(t.content[:offset], '\n') + 1
	end = len(t.content)
	if length := strings.IndexByte(t.content[offset:], '\n'); length >= 0 {
		end = offset + length
	}
	if end > start && t.content[end-1] == '\r' {
		end--
	}
	return start, end
}

// Apply returns the text after changes, each of which speaks of the text that
// the one before it left.
func (t *Text) Apply(changes []protocol.Change) (*Text, error) {
	for _, c := range changes {
		if c.Range == nil {
			t = New(c.Text)
			continue
		}
		start, end := t.Offset(c.Range.Start), t.Offset(c.Range.End)
		if start > end {
			return nil, fmt.Errorf("changing a document: the range ends before it begins")
		}
		t = New(t.content[:start] + c.Text + t.content[end:])
	}
	return t, nil
}

func (t *Text) lineEnd(line int) int {
	end := len(t.content)
	if line+1 < len(t.lines) {
		end = t.lines[line+1]
	}
	return t.lines[line] + len(strings.TrimRight(t.content[t.lines[line]:end], "\r\n"))
}

// unitsOf returns the length of a character in UTF-16 code units. A byte that
// is no UTF-8 counts as the replacement character that the editor shows for it.
func unitsOf(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}
