// Package checked type-checks small packages from text, for tests. Their
// imports are other packages of the same text, none of them real.
package checked

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// Packages are type-checked packages by import path.
type Packages struct {
	Info   *types.Info
	source map[string]string
	done   map[string]*types.Package
	files  map[string]*ast.File
	fset   *token.FileSet
}

// Check type-checks the packages, each of one file, by import path.
func Check(t testing.TB, source map[string]string) *Packages {
	t.Helper()
	p := &Packages{
		Info: &types.Info{
			Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object),
			Defs: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
			Instances: make(map[*ast.Ident]types.Instance),
		},
		source: source, done: make(map[string]*types.Package),
		files: make(map[string]*ast.File), fset: token.NewFileSet(),
	}
	for path := range source {
		if _, err := p.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// Import implements [types.Importer].
func (p *Packages) Import(path string) (*types.Package, error) {
	if pkg := p.done[path]; pkg != nil {
		return pkg, nil
	}
	source, ok := p.source[path]
	if !ok {
		return nil, fmt.Errorf("no package %s in the text", path)
	}
	file, err := parser.ParseFile(p.fset, path+".go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: p}
	pkg, err := config.Check(path, p.fset, []*ast.File{file}, p.Info)
	if err != nil {
		return nil, err
	}
	p.done[path], p.files[path] = pkg, file
	return pkg, nil
}

// File returns the file of a package.
func (p *Packages) File(path string) *ast.File { return p.files[path] }

// Type returns a type of a package, nil if there is none.
func (p *Packages) Type(path, name string) types.Type {
	pkg := p.done[path]
	if pkg == nil {
		return nil
	}
	obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	return obj.Type()
}

// Func returns a function ("Open") or method ("File.Read") of a package.
func (p *Packages) Func(t testing.TB, path, owner, name string) *types.Func {
	t.Helper()
	var obj types.Object
	if owner == "" {
		obj = p.done[path].Scope().Lookup(name)
	} else {
		obj, _, _ = types.LookupFieldOrMethod(p.Type(path, owner), true, p.done[path], name)
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		t.Fatalf("%s declares no %s %s", path, owner, name)
	}
	return fn
}
