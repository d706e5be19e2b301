package ratchet

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"
)

// symbol names the declaration that a position is in, its comment included, as
// the run-time's stack traces spell it: "f", "T.Method", "(*T).Method", "var x".
// Outside of declarations it is "package".
func (s *source) symbol(pos token.Pos) string {
	pos = s.anchor(pos)
	for _, decl := range s.file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if within(pos, decl, decl.Doc) {
				return funcSymbol(decl)
			}
		case *ast.GenDecl:
			if within(pos, decl, decl.Doc) {
				return genSymbol(decl, pos)
			}
		}
	}
	return "package"
}

// anchor moves a position in a comment that trails code to that code.
func (s *source) anchor(pos token.Pos) token.Pos {
	line := s.lines.LineStart(s.lines.PositionFor(pos, false).Line)
	for _, group := range s.file.Comments {
		if group.Pos() > pos || pos >= group.End() {
			continue
		}
		before := s.text[s.lines.Offset(line):s.lines.Offset(pos)]
		indent := len(before) - len(bytes.TrimLeft(before, " \t"))
		return line + token.Pos(indent)
	}
	return pos
}

func within(pos token.Pos, node ast.Node, doc *ast.CommentGroup) bool {
	start := node.Pos()
	if doc != nil {
		start = doc.Pos()
	}
	return start <= pos && pos <= node.End()
}

func funcSymbol(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	receiver := ast.Unparen(decl.Recv.List[0].Type)
	star, pointer := receiver.(*ast.StarExpr)
	if pointer {
		receiver = ast.Unparen(star.X)
	}
	name := baseName(receiver)
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + decl.Name.Name
}

// baseName returns the name of a receiver's type, without type parameters.
func baseName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.IndexExpr:
		return baseName(expr.X)
	case *ast.IndexListExpr:
		return baseName(expr.X)
	}
	return unknownSymbol
}

// genSymbol names what the spec around pos declares: "var a, b".
// An import, or a place between two specs, has the keyword alone.
func genSymbol(decl *ast.GenDecl, pos token.Pos) string {
	for _, spec := range decl.Specs {
		names, doc := declared(spec)
		if names != "" && (len(decl.Specs) == 1 || within(pos, spec, doc)) {
			return decl.Tok.String() + " " + names
		}
	}
	return decl.Tok.String()
}

// declared returns the names that a spec declares and its comment.
func declared(spec ast.Spec) (names string, doc *ast.CommentGroup) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		texts := make([]string, len(spec.Names))
		for i, name := range spec.Names {
			texts[i] = name.Name
		}
		return strings.Join(texts, ", "), spec.Doc
	case *ast.TypeSpec:
		return spec.Name.Name, spec.Doc
	}
	return "", nil
}
