package report

import (
	"bytes"
	"os"
	"unicode/utf8"
)

// sources are the lines of the files that findings stand in, read once.
type sources map[string][][]byte

// line returns a 1-based line without its end, if the file can be read.
func (s sources) line(file string, n int) ([]byte, bool) {
	lines, ok := s[file]
	if !ok {
		text, err := os.ReadFile(file)
		if err == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		s[file] = lines
	}
	if n < 1 || n > len(lines) {
		return nil, false
	}
	return bytes.TrimSuffix(lines[n-1], []byte("\r")), true
}

// A span is a part of one line: 1-based columns in UTF-16 code units, the end
// exclusive. Zero columns are not known.
type span struct{ line, start, end int }

// span returns the part of a finding that is on its first line, from byte
// columns. A finding without an end reaches to the end of its line.
func (s sources) span(file string, line, col, endLine, endCol int) span {
	text, ok := s.line(file, line)
	if !ok || col < 1 {
		return span{line: line}
	}
	end := len(text) + 1
	if endLine == line && endCol > col {
		end = endCol
	}
	return span{line, utf16Column(text, col), utf16Column(text, end)}
}

// utf16Column converts a 1-based byte column of a line. A column beyond the
// line is the one behind its last character.
func utf16Column(line []byte, col int) int {
	units := 1
	for i := 0; i < len(line) && i < col-1; {
		r, size := utf8.DecodeRune(line[i:])
		if i += size; r >= 0x10000 {
			units++
		}
		units++
	}
	return units
}

// position converts a 0-based byte offset of a file to a 1-based line and a
// column in UTF-16 code units.
func (s sources) position(file string, offset int) (line, col int, ok bool) {
	if _, ok := s.line(file, 1); !ok {
		return 0, 0, false
	}
	for i, text := range s[file] {
		if offset <= len(text) {
			return i + 1, utf16Column(text, offset+1), offset >= 0
		}
		offset -= len(text) + 1
	}
	return 0, 0, false
}
