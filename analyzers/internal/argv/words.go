package argv

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// evaluate returns the words of a command as arguments. What the shell would
// expand is not known.
func evaluate(words []*syntax.Word) []Arg {
	args := make([]Arg, 0, len(words))
	for _, w := range words {
		args = append(args, evaluateWord(w))
	}
	return args
}

func evaluateWord(w *syntax.Word) Arg {
	if isList(w) {
		return Arg{Rest: true}
	}
	var b strings.Builder
	for _, part := range w.Parts {
		writePart(&b, part)
	}
	value := strings.ReplaceAll(b.String(), holeName, string(Hole))
	if value == string(Hole) {
		return Arg{}
	}
	return word(value)
}

// isList reports whether the word can expand to any number of arguments: "$@"
// and an expansion outside quotes.
func isList(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch part := w.Parts[0].(type) {
	case *syntax.DblQuoted:
		if len(part.Parts) != 1 {
			return false
		}
		param, ok := part.Parts[0].(*syntax.ParamExp)
		return ok && param.Param != nil && param.Param.Value == "@"
	case *syntax.ParamExp:
		return part.Param != nil && (part.Param.Value == "@" || part.Param.Value == "*")
	}
	return false
}

func writePart(b *strings.Builder, part syntax.WordPart) {
	switch part := part.(type) {
	case *syntax.Lit:
		b.WriteString(unescape(part.Value, ""))
	case *syntax.SglQuoted:
		b.WriteString(part.Value)
	case *syntax.DblQuoted:
		for _, inner := range part.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				b.WriteString(unescape(lit.Value, "\"\\$`"))
				continue
			}
			writePart(b, inner)
		}
	default:
		b.WriteRune(Hole)
	}
}

// unescape removes the backslashes that quote: before any character, or, in
// double quotes, before one of special only.
func unescape(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// scriptOf returns the words as eval and trap read them: as a script in which
// variables keep their names, so that "kill $pid" still says which job it ends.
func (r *run) scriptOf(words ...*syntax.Word) string {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		var b strings.Builder
		for _, part := range w.Parts {
			r.writeSource(&b, part)
		}
		texts = append(texts, b.String())
	}
	return strings.Join(texts, " ")
}

func (r *run) writeSource(b *strings.Builder, part syntax.WordPart) {
	switch part := part.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		writePart(b, part)
	case *syntax.DblQuoted:
		for _, inner := range part.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				b.WriteString(unescape(lit.Value, "\"\\$`"))
				continue
			}
			r.writeSource(b, inner)
		}
	default:
		b.WriteString(r.source[part.Pos().Offset():part.End().Offset()])
	}
}
