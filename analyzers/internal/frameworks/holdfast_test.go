package frameworks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// The module's own loop is known by name, because analyzers import nothing of
// the runtime.
func TestOwnLoopHasTheNames(t *testing.T) {
	declared := ownFunctions(t)
	for _, f := range holdfast {
		for _, list := range []string{f.callbacks, f.offLoop, f.selfWaits} {
			for _, name := range symbols.Expand(list) {
				name, _, _ = strings.Cut(name, ":")
				if !declared[name] {
					t.Errorf("runtime/loop has no %s", name)
				}
			}
		}
	}
}

func ownFunctions(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "runtime", "loop", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of runtime/loop (%v)", err)
	}
	declared := make(map[string]bool)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				declared[functionName(f)] = true
			}
		}
	}
	return declared
}

// functionName returns "Post" or "Loop.Post".
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	recv := f.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	if id, ok := recv.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
