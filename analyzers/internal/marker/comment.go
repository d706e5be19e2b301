package marker

import (
	"go/ast"
	"go/token"
	"strings"
)

// A line is one physical line of a comment, without the comment signs.
type line struct {
	comment *ast.Comment
	number  int       // physical
	text    string    // without leading and trailing space
	pos     token.Pos // of text
	tight   bool      // text follows "//" immediately, as a directive does
	code    bool      // indented: an example in a doc comment
	block   bool      // of a /* */ comment
	opens   bool      // the first line of its comment
}

// A segment is the part of a comment line that one marker or directive may
// fill. A line of several is separated by " //", as in
//
//	//nolint:gosec // detached-spawn: ok — the updater must outlive us
type segment struct {
	line
	text   string
	pos    token.Pos // of text
	start  token.Pos // of the comment sign in front of it, or of text
	behind bool      // something other than a directive or marker stands before it in the comment

	marker    *Marker
	directive *Directive
	problems  []Problem
}

func (s segment) end() token.Pos { return s.pos + token.Pos(len(s.text)) }

// collect returns the segments of a file that are, or mean to be, markers or
// directives. It is on the path of every file, and nearly always returns nil.
func collect(file *token.File, syntax *ast.File) []segment {
	var found []segment
	for _, group := range syntax.Comments {
		for _, comment := range group.List {
			if !mayMatter(comment.Text) {
				continue
			}
			for _, l := range split(file, comment) {
				for _, s := range l.segments() {
					if s.parse() {
						found = append(found, s)
					}
				}
			}
		}
	}
	return found
}

// split returns the lines of a comment.
func split(file *token.File, comment *ast.Comment) []line {
	first := physicalLine(file, comment.Pos())
	body, isLine := strings.CutPrefix(comment.Text, "//")
	if isLine {
		l := newLine(comment, body, comment.Slash+2, first)
		l.opens = true
		l.tight = l.text != "" && l.pos == comment.Slash+2
		return []line{l}
	}
	raw := strings.Split(strings.TrimSuffix(body[len("/*"):], "*/"), "\n")
	lines := make([]line, len(raw))
	margin := commonMargin(raw[1:])
	for i, text := range raw {
		pos := comment.Slash + 2
		if i > 0 {
			// Not by offset: the scanner drops carriage returns from Text.
			pos = lineStart(file, first+i) + token.Pos(min(margin, len(text)))
			text = text[min(margin, len(text)):]
			if rest, starred := strings.CutPrefix(text, "*"); starred {
				text, pos = rest, pos+1
			}
		}
		lines[i] = newLine(comment, text, pos, first+i)
		lines[i].block = true
		lines[i].opens = i == 0
		lines[i].code = i > 0 && lines[i].code
	}
	return lines
}

func newLine(comment *ast.Comment, raw string, pos token.Pos, number int) line {
	text := strings.TrimLeft(raw, " \t")
	indent := raw[:len(raw)-len(text)]
	return line{
		comment: comment,
		number:  number,
		text:    strings.TrimRight(text, " \t\r"),
		pos:     pos + token.Pos(len(indent)),
		code:    indent != "" && indent != " ",
	}
}

// commonMargin returns the length of the white space that all lines share.
func commonMargin(lines []string) int {
	margin, found := "", false
	for _, text := range lines {
		rest := strings.TrimLeft(text, " \t")
		if rest == "" {
			continue
		}
		indent := text[:len(text)-len(rest)]
		if !found {
			margin, found = indent, true
			continue
		}
		for !strings.HasPrefix(indent, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	return len(margin)
}

// segments cuts the line at every " //".
func (l line) segments() []segment {
	var all []segment
	text, pos, start := l.text, l.pos, l.pos
	if l.opens {
		start = l.comment.Slash
	}
	behind := false
	for {
		next := nextSegment(text)
		part := strings.TrimRight(text[:next], " \t")
		if part != "" {
			all = append(all, segment{line: l, text: part, pos: pos, start: start, behind: behind})
		}
		if next == len(text) {
			return all
		}
		behind = behind || !isDirective(part, l.tight)
		start = pos + token.Pos(next)
		rest := text[next+len("//"):]
		text = strings.TrimLeft(rest, " \t")
		pos = start + token.Pos(len("//")+len(rest)-len(text))
		l.tight = len(rest) == len(text)
	}
}

// nextSegment returns the offset of the first "//" behind white space, or the length of text.
func nextSegment(text string) int {
	for i := 1; i+2 <= len(text); i++ {
		if text[i:i+2] == "//" && (text[i-1] == ' ' || text[i-1] == '\t') {
			return i
		}
	}
	return len(text)
}

// isDirective reports whether a segment is machine-read: a directive of any
// tool, or one of our markers.
func isDirective(text string, tight bool) bool {
	if m, _ := parseMarker(text); m != nil {
		return true
	}
	tool, rest, found := strings.Cut(text, ":")
	return tight && found && tool != "" && rest != "" && rest[0] != ' ' && !strings.ContainsAny(tool, " \t")
}

// physicalLine returns the line of a position as an editor counts it.
func physicalLine(file *token.File, pos token.Pos) int {
	return file.PositionFor(pos, false).Line
}

// lineStart returns the position of a physical line, and the end of the file
// for one that it does not have: the last of an unterminated comment.
func lineStart(file *token.File, number int) token.Pos {
	if number > file.LineCount() {
		return token.Pos(file.Base() + file.Size())
	}
	return file.LineStart(number)
}

// within reports whether a position lies in the file.
func within(file *token.File, pos token.Pos) bool {
	return pos.IsValid() && file.Base() <= int(pos) && int(pos) <= file.Base()+file.Size()
}
