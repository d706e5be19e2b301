package marker

import (
	"go/ast"
	"go/token"
	"strings"
)

// A layout knows what stands on the lines of a file: code, comments or nothing.
type layout struct {
	file     *token.File
	code     map[int]bool   // lines with a token that is no comment
	comments map[int][]line // the comment lines, by physical line
}

func newLayout(file *token.File, syntax *ast.File) *layout {
	l := &layout{file: file, code: make(map[int]bool), comments: make(map[int][]line)}
	l.code[physicalLine(file, syntax.Package)] = true
	ast.Inspect(syntax, func(node ast.Node) bool {
		switch node.(type) {
		case nil, *ast.CommentGroup:
			return false
		case *ast.File:
			return true // starts and ends with what may be a comment
		}
		l.mark(node.Pos())
		l.mark(node.End() - 1)
		return true
	})
	for _, group := range syntax.Comments {
		for _, comment := range group.List {
			for _, line := range split(file, comment) {
				l.comments[line.number] = append(l.comments[line.number], line)
			}
		}
	}
	return l
}

func (l *layout) mark(pos token.Pos) {
	if within(l.file, pos) {
		l.code[physicalLine(l.file, pos)] = true
	}
}

// alone reports whether nothing but comments stands on the lines of a comment.
func (l *layout) alone(of line) bool {
	first, last := l.extent(of)
	return !l.code[first] && !l.code[last]
}

// extent returns the physical lines on which the comment of a line starts and ends.
func (l *layout) extent(of line) (first, last int) {
	first = physicalLine(l.file, of.comment.Pos())
	return first, first + strings.Count(of.comment.Text, "\n")
}

// covers returns the line that a marker or directive speaks of: its own if
// code stands there, and otherwise the one below its block of comments.
func (l *layout) covers(s segment) int {
	first, last := l.extent(s.line)
	switch {
	case l.code[first]:
		return first
	case l.code[last]:
		return last
	}
	next := last + 1
	for l.commentOnly(next) {
		next++
	}
	return next
}

func (l *layout) commentOnly(number int) bool {
	return !l.code[number] && len(l.comments[number]) > 0
}

// reads reports whether a segment stands where a marker or directive is
// looked for. Examples in doc comments and code that was commented out are not.
func (l *layout) reads(s segment) bool {
	return !l.alone(s.line) || !s.code && !s.behind
}

// wrapped returns the reason of a marker that stands alone, together with the
// comment lines below it that continue the sentence, and the last line of those.
// An empty line, an example, a marker and a directive end it.
func (l *layout) wrapped(s segment) (reason string, last int) {
	reason, last = s.marker.Reason, s.number
	if !strings.HasSuffix(s.line.text, s.text) {
		return reason, last // another segment follows
	}
	for l.commentOnly(last+1) && len(l.comments[last+1]) == 1 {
		next := l.comments[last+1][0]
		if next.code || isDirective(next.text, next.tight) || isNearMiss(next) {
			break
		}
		parts := next.segments()
		if len(parts) != 1 {
			break // empty, or more than a sentence
		}
		reason = strings.TrimLeft(reason+" "+parts[0].text, separators)
		last++
	}
	return strings.Join(strings.Fields(reason), " "), last
}

// isNearMiss reports whether a line means to be a marker or directive.
func isNearMiss(l line) bool {
	for _, s := range l.segments() {
		if s.parse() {
			return true
		}
	}
	return false
}
