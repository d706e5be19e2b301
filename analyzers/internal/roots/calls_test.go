package roots

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestCalls decides every call in testdata/calls: a comment at the end of its
// line names the kind that it waits for, or says "nothing".
func TestCalls(t *testing.T) {
	p := load(t, "testdata/calls/calls.go.txt")
	file := p.Syntax[0]
	wants := comments(p.Fset, file)
	values := assigned(p.TypesInfo, file)
	seen := 0
	ast.Inspect(file, func(n ast.Node) bool {
		statement, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		line := p.Fset.Position(statement.End()).Line
		want, ok := wants[line]
		call := lastCall(statement)
		if !ok || call == nil {
			return true
		}
		delete(wants, line)
		seen++
		got := "nothing"
		if root, ok := decide(p.TypesInfo, call, values); ok {
			got = string(root.Kind)
		}
		if got != want {
			t.Errorf("line %d: %s waits for %s, want %s", line, types.ExprString(call), got, want)
		}
		return false
	})
	if len(wants) > 0 || seen < 70 {
		t.Errorf("decided %d calls; no call on lines %v", seen, wants)
	}
}

// decide does what the analyzer does with a call.
func decide(info *types.Info, call *ast.CallExpr, values func(*ast.Ident) ast.Expr) (Root, bool) {
	fn := look{info: info}.callee(call)
	if fn == nil {
		return Root{}, false
	}
	if c := Conditional(fn); !c.IsZero() {
		return c.HoldsThrough(info, call, values)
	}
	return Of(fn)
}

// lastCall returns the call that a simple statement is.
func lastCall(statement ast.Stmt) *ast.CallExpr {
	var expr ast.Expr
	switch s := statement.(type) {
	case *ast.ExprStmt:
		expr = s.X
	case *ast.AssignStmt:
		expr = s.Rhs[0]
	}
	call, _ := expr.(*ast.CallExpr)
	return call
}

// comments returns the comments that end a line with code.
func comments(fset *token.FileSet, file *ast.File) map[int]string {
	found := make(map[int]string)
	for _, group := range file.Comments {
		if position := fset.Position(group.Pos()); position.Column > 2 {
			found[position.Line] = strings.TrimSpace(group.Text())
		}
	}
	return found
}

// assigned returns what a local variable was first set to.
func assigned(info *types.Info, file *ast.File) func(*ast.Ident) ast.Expr {
	values := make(map[types.Object]ast.Expr)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
			if id, ok := s.Lhs[0].(*ast.Ident); ok {
				values[info.Defs[id]] = s.Rhs[0]
			}
		}
		return true
	})
	return func(id *ast.Ident) ast.Expr { return values[info.Uses[id]] }
}

// load type-checks a file of the standard library's users.
func load(t *testing.T, path string) *packages.Package {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"go.mod": []byte("module calls\n\ngo 1.26\n"), "calls.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedExportFile,
		Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="),
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(loaded) > 0 || len(loaded) != 1 {
		t.Fatalf("%s does not compile", path)
	}
	return loaded[0]
}
