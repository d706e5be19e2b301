package marker

import (
	"bytes"
	"strings"
)

// Mentions reports, without parsing, whether a file's source may hold a marker
// or directive, well-formed or not. It is cheap and errs on the side of yes: a
// file that it denies has nothing for Read to find.
func Mentions(source []byte) bool {
	for _, stem := range stems() {
		if mentionsNear([]byte(stem), source) {
			return true
		}
	}
	return false
}

// mentionsNear looks at the lines that contain the stem.
func mentionsNear(stem, source []byte) bool {
	for {
		at := bytes.Index(source, stem)
		if at < 0 {
			return false
		}
		start := bytes.LastIndexByte(source[:at], '\n') + 1
		end := len(source)
		if length := bytes.IndexByte(source[at:], '\n'); length >= 0 {
			end = at + length
		}
		if mentions(strings.ReplaceAll(string(source[start:end]), "\r", "")) {
			return true
		}
		source = source[end:]
	}
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
	text = strings.Trim(text, " \t")
	text = strings.TrimRight(text[:nextSegment(text)], " \t")
	inBlock, _, closed := strings.Cut(text, "*/")
	return means(text) || closed && means(strings.TrimRight(inBlock, " \t"))
}

func means(text string) bool {
	s := segment{line: line{tight: true}, text: text}
	return s.parse()
}
