package ratchet

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"
)

// normalize returns the source text of [start, end) so that formatting does not
// show: tokens with one way to space them, without comments, line breaks and
// trailing commas, and with function literals as "func{hash}".
// A range without tokens is a comment; its white space is folded.
func (s *source) normalize(start, end token.Pos) string {
	literals := s.literals(start, end)
	tokens := s.tokens(start, end)
	if len(tokens) == 0 {
		text := string(s.text[s.lines.Offset(start):s.lines.Offset(end)])
		return strings.Join(strings.Fields(text), " ")
	}
	var line writer
	for len(tokens) > 0 {
		t := tokens[0]
		if len(literals) == 0 || t.pos < literals[0].Pos() {
			line.add(t.tok, t.text)
			tokens = tokens[1:]
			continue
		}
		literal := literals[0]
		literals = literals[1:]
		line.add(token.IDENT, "func{"+hash(s.normalizeLiteral(literal))+"}")
		for len(tokens) > 0 && tokens[0].pos < literal.End() {
			tokens = tokens[1:]
		}
	}
	return line.String()
}

// normalizeLiteral returns the whole text of a function literal.
func (s *source) normalizeLiteral(literal *ast.FuncLit) string {
	var line writer
	for _, t := range s.tokens(literal.Pos(), literal.End()) {
		line.add(t.tok, t.text)
	}
	return line.String()
}

// literals returns the outermost function literals in [start, end), in order.
func (s *source) literals(start, end token.Pos) []*ast.FuncLit {
	var found []*ast.FuncLit
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || n.End() <= start || n.Pos() >= end {
			return false
		}
		literal, ok := n.(*ast.FuncLit)
		if ok && start <= n.Pos() && n.End() <= end {
			found = append(found, literal)
			return false
		}
		return true
	})
	return found
}

// A lexeme is one token of the source.
type lexeme struct {
	pos  token.Pos
	tok  token.Token
	text string
}

// tokens scans [start, end). Comments are left out.
func (s *source) tokens(start, end token.Pos) []lexeme {
	from := s.lines.Offset(start)
	text := s.text[from:s.lines.Offset(end)]
	file := token.NewFileSet().AddFile("", -1, len(text))
	var scan scanner.Scanner
	scan.Init(file, text, func(token.Position, string) {}, 0)
	var found []lexeme
	for {
		pos, tok, literal := scan.Scan()
		switch {
		case tok == token.EOF:
			return found
		case tok == token.SEMICOLON:
			literal = ";"
		case literal == "" || tok.IsOperator():
			literal = tok.String()
		}
		found = append(found, lexeme{start + token.Pos(file.Offset(pos)), tok, strings.ReplaceAll(literal, "\r", "")})
	}
}

// A writer puts tokens on one line. Spaces depend on the tokens alone.
type writer struct {
	text   strings.Builder
	last   token.Token
	binary bool   // the last token is a binary operator
	held   string // a comma or semicolon that a closing bracket would make void
}

func (w *writer) add(tok token.Token, text string) {
	if tok == token.COMMA || tok == token.SEMICOLON {
		w.held = text
		return
	}
	closing := tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE
	if w.held != "" && !closing {
		w.text.WriteString(w.held + " ")
		w.last = token.COMMA
	} else if w.spaced(tok) {
		w.text.WriteByte(' ')
	}
	w.held = ""
	w.text.WriteString(text)
	w.binary = isBinary(w.last, tok)
	w.last = tok
}

func (w *writer) String() string { return w.text.String() }

// spaced reports whether a space stands between the last token and the next.
func (w *writer) spaced(next token.Token) bool {
	switch {
	case w.text.Len() == 0 || w.last == token.COMMA:
		return false // the held comma has brought its space
	case w.binary || isBinary(w.last, next):
		return true
	case w.last == token.COLON:
		return next != token.RBRACK
	case isWordToken(next):
		return isWordToken(w.last) || w.last == token.RPAREN
	case w.last.IsKeyword():
		return next.IsOperator() && next != token.LPAREN && next != token.LBRACK && next != token.LBRACE &&
			next != token.RPAREN && next != token.RBRACE && next != token.PERIOD
	}
	return false
}

// isBinary reports whether an operator that follows last takes two operands.
// "*" and "&" are left tight: a type or an address looks like a product.
func isBinary(last, op token.Token) bool {
	switch op {
	case token.ADD, token.SUB, token.QUO, token.REM, token.OR, token.XOR, token.SHL, token.SHR, token.AND_NOT,
		token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ,
		token.ASSIGN, token.DEFINE, token.ARROW, token.ADD_ASSIGN, token.SUB_ASSIGN, token.OR_ASSIGN, token.AND_ASSIGN:
		return last.IsLiteral() || last == token.RPAREN || last == token.RBRACK || last == token.RBRACE
	}
	return false
}

func isWordToken(tok token.Token) bool { return tok.IsLiteral() || tok.IsKeyword() }

// exprLimit bounds an expression in bytes, so that a line of the baseline stays
// one that a person reads; a composite literal can be as long as its file.
const exprLimit = 160

// shorten cuts what is longer than exprLimit and tells it apart by a hash.
func shorten(expr string) string {
	if len(expr) <= exprLimit {
		return expr
	}
	tail := "…" + hash(expr)
	cut := exprLimit - len(tail)
	for !utf8.RuneStart(expr[cut]) {
		cut--
	}
	return expr[:cut] + tail
}

// hash returns eight hexadecimal digits that stand for a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}
