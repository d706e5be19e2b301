package detachedspawn

import (
	"go/ast"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/argv"
)

// format evaluates fmt.Sprintf: verbs become their argument's text where it
// is known and argv.Hole where it is not.
func (w *walker) format(call *ast.CallExpr) word {
	if len(call.Args) == 0 {
		return word{}
	}
	layout := w.argument(call.Args[0])
	if !layout.Known {
		return word{}
	}
	var out strings.Builder
	rest := call.Args[1:]
	for text := layout.Value; text != ""; {
		before, after, found := strings.Cut(text, "%")
		out.WriteString(before)
		if !found {
			break
		}
		verb, size := verbOf(after)
		text = after[size:]
		if verb == '%' {
			out.WriteByte('%')
			continue
		}
		if len(rest) == 0 {
			out.WriteRune(argv.Hole)
			continue
		}
		out.WriteString(w.formatted(rest[0], verb))
		rest = rest[1:]
	}
	return known(out.String())
}

// formatted returns what %s or %v print of an argument. %q and the others
// quote or compute: their result is one unknown word.
func (w *walker) formatted(arg ast.Expr, verb byte) string {
	if verb == 's' || verb == 'v' {
		return text(w.argument(arg))
	}
	return string(argv.Hole)
}

// verbOf returns the verb after a per cent sign and how many bytes it takes
// with its flags and width.
func verbOf(s string) (verb byte, size int) {
	for i := range len(s) {
		if c := s[i]; c == '%' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c, i + 1
		}
	}
	return 0, len(s)
}

// join evaluates strings.Join of a list that is known in part.
func (w *walker) join(list, separator ast.Expr) word {
	between := w.argument(separator)
	if !between.Known {
		return word{}
	}
	var parts []string
	for _, arg := range w.list(list) {
		parts = append(parts, text(arg))
	}
	return known(strings.Join(parts, between.Value))
}
