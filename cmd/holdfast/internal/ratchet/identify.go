package ratchet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// Identify fills in Symbol, Expr and K of every finding. The ranks K are right
// only if the findings hold all of those that a run has in each package.
//
// The source text decides. Where it cannot be read, does not parse, or has
// //line comments that make its positions doubtful, Symbol is "?" and Expr is
// taken from the message.
func Identify(findings []*finding.Finding) { IdentifyIn(findings, os.ReadFile) }

// IdentifyIn is [Identify] for text that need not be that of the files.
func IdentifyIn(findings []*finding.Finding, read func(path string) ([]byte, error)) {
	files := make(map[string]*source)
	for _, f := range findings {
		if files[f.File] == nil {
			files[f.File] = readSource(f.File, read)
		}
		f.Symbol, f.Expr = files[f.File].identify(f)
	}
	rank(findings)
}

// rank numbers the equal findings of each declaration by position.
func rank(findings []*finding.Finding) {
	sorted := slices.Clone(findings)
	finding.Sort(sorted)
	count := make(map[Key]int)
	for _, f := range sorted {
		group := KeyOf(f).equals()
		count[group]++
		f.K = count[group]
	}
}

// unknownSymbol stands for a declaration that cannot be told.
const unknownSymbol = "?"

// A source is a parsed file. The zero value is one that cannot be used.
type source struct {
	text  []byte
	file  *ast.File
	lines *token.File
}

func readSource(path string, read func(string) ([]byte, error)) *source {
	text, err := read(path)
	if err != nil {
		return &source{}
	}
	return parseSource(path, text)
}

func parseSource(path string, text []byte) *source {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return &source{}
	}
	lines := fset.File(file.FileStart)
	if movesLines(lines) {
		return &source{}
	}
	return &source{text: text, file: file, lines: lines}
}

// movesLines reports whether a //line comment gives a line another position.
func movesLines(file *token.File) bool {
	for line := 1; line <= file.LineCount(); line++ {
		start := file.LineStart(line)
		if file.PositionFor(start, true) != file.PositionFor(start, false) {
			return true
		}
	}
	return false
}

// identify returns the enclosing declaration and the normalised expression.
func (s *source) identify(f *finding.Finding) (symbol, expr string) {
	start, end, ok := s.rangeOf(f)
	if !ok {
		return unknownSymbol, fromMessage(f.Message)
	}
	return s.symbol(start), shorten(s.normalize(start, end))
}

// rangeOf returns where a finding stands, as far as the file has such a place.
func (s *source) rangeOf(f *finding.Finding) (start, end token.Pos, ok bool) {
	if s.file == nil {
		return 0, 0, false
	}
	if f.Col == 0 {
		start, ok = s.pos(f.Line, 1)
		return start, s.lineEnd(f.Line), ok
	}
	if start, ok = s.pos(f.Line, f.Col); !ok {
		return 0, 0, false
	}
	if end, ok = s.pos(f.EndLine, f.EndCol); ok && end > start {
		return start, end, true
	}
	return start, s.exprEnd(start, f.Line), true
}

// pos returns the position of a 1-based line and byte column. The column right
// behind the line's last byte exists.
func (s *source) pos(line, col int) (token.Pos, bool) {
	if line < 1 || line > s.lines.LineCount() || col < 1 {
		return 0, false
	}
	pos := s.lines.LineStart(line) + token.Pos(col-1)
	return pos, pos <= s.lineEnd(line)
}

// lineEnd returns the position behind a line's last byte.
func (s *source) lineEnd(line int) token.Pos {
	if line < 1 || line >= s.lines.LineCount() {
		return s.file.FileEnd
	}
	return s.lines.LineStart(line+1) - 1
}

// exprEnd returns the end of the longest expression that starts at start, or
// that of the line.
func (s *source) exprEnd(start token.Pos, line int) token.Pos {
	var end token.Pos
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || n.Pos() > start || n.End() <= start {
			return false
		}
		if expr, ok := n.(ast.Expr); ok && n.Pos() == start {
			end = max(end, expr.End())
		}
		return true
	})
	if end == token.NoPos {
		return s.lineEnd(line)
	}
	return end
}

// positions matches what follows a file's name in "proc.go:12:3".
var positions = regexp.MustCompile(`(\.\w+):\d+(:\d+)?\b`)

// fromMessage makes an expression of a message: the text without its positions.
func fromMessage(message string) string {
	message = positions.ReplaceAllString(message, "$1")
	return shorten(strings.ToValidUTF8(strings.Join(strings.Fields(message), " "), "\uFFFD"))
}
