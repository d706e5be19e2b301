package marker

import (
	"bytes"
	"strings"
)

// Mentions reports, without parsing, whether a file's source may hold a marker
// or directive, well-formed or not. It is cheap and errs on the side of yes: a
// file that it denies has nothing for Read to find.
func Mentions(source []byte) bool {
	for raw := range bytes.Lines(source) {
		if !mayMatter(string(raw)) {
			continue
		}
		if mentions(strings.ReplaceAll(string(raw), "\r", "")) {
			return true
		}
	}
	return false
}

// mentions looks behind every comment sign of a line, and at its start, which
// may lie inside a block comment.
func mentions(text string) bool {
	rest := strings.TrimPrefix(strings.TrimLeft(text, " \t"), "*")
	for {
		if segmentMentions(rest) {
			return true
		}
		next := strings.IndexByte(rest, '/')
		if next < 0 {
			return false
		}
		rest = rest[next+1:]
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "/"), "*")
	}
}

func segmentMentions(text string) bool {
	text = strings.Trim(text, " \t\n")
	text = strings.TrimRight(text[:nextSegment(text)], " \t")
	inBlock, _, closed := strings.Cut(text, "*/")
	return means(text) || closed && means(strings.TrimRight(inBlock, " \t"))
}

func means(text string) bool {
	s := segment{line: line{tight: true}, text: text}
	return s.parse()
}
