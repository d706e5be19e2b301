package loopblock_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/cases"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
)

// fset and standard are shared: reading the standard library takes seconds.
var (
	fset     = token.NewFileSet()
	standard = sync.OnceValue(func() types.Importer { return importer.ForCompiler(fset, "source", nil) })
)

// analyze runs the analyzer on one package that imports only the standard
// library, whatever the type checker thinks of it, and returns what it says.
func analyze(t *testing.T, source string, options loopblock.Options) []analysis.Diagnostic {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	config := &types.Config{Importer: standard(), Error: func(error) {}}
	pkg, _ := config.Check("example.com/p", fset, []*ast.File{file}, info)
	var found []analysis.Diagnostic
	pass := &analysis.Pass{
		Analyzer: loopblock.New(options), Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info,
		Module:            &analysis.Module{Path: "example.com/p"},
		Report:            func(d analysis.Diagnostic) { found = append(found, d) },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportPackageFact: func(analysis.Fact) {},
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
	if _, err := pass.Analyzer.Run(pass); err != nil {
		t.Fatal(err)
	}
	return found
}

// Code that does not type-check must not take the analyzer down: editors have
// little else.
func TestBrokenCodeIsSurvived(t *testing.T) {
	const whole = `package p

import "os"

type store interface{ Save(name string) error }

type disk struct{ path string; hook func(func()) error }

func (d *disk) Save(name string) error { return os.WriteFile(d.path+name, nil, 0o600) }

func each[T any](list []T, f func(T) error) { for _, e := range list { _ = f(e) } }

//holdfast:loop
func run(s store, d *disk, events chan func()) {
	for {
		select {
		case f := <-events:
			f()
		}
		go each([]string{"a"}, s.Save)
		defer func() { _ = d.hook(func() { _ = s.Save("b") }) }()
		handlers := map[string]func() error{"a": func() error { return os.Remove("a") }}
		_ = handlers["a"]()
	}
}
`
	for _, replaced := range strings.Fields(whole) {
		analyze(t, strings.Replace(whole, replaced, "", 1), loopblock.Options{Auto: true})
		analyze(t, strings.ReplaceAll(whole, replaced, "x"), loopblock.Options{Auto: true})
	}
}

// The work per function is bounded: a generated table of a size that occurs is
// followed whole, one far beyond it is cut with a note.
func TestHugeFunctions(t *testing.T) {
	source := func(calls int) string {
		var b strings.Builder
		b.WriteString("package p\n\nimport \"os\"\n\nfunc f(int) {}\n\n//holdfast:loop\nfunc run() {\n")
		for i := range calls {
			fmt.Fprintf(&b, "\tf(%d)\n", i)
		}
		b.WriteString("\t_ = os.Remove(\"a\")\n}\n")
		return b.String()
	}
	if found := analyze(t, source(20_000), loopblock.Options{}); len(found) != 1 || found[0].Category != loopblock.Category {
		t.Errorf("the call behind 20,000 others: %v", found)
	}
	if found := analyze(t, source(60_000), loopblock.Options{}); len(found) != 1 || found[0].Category != loopblock.Advice {
		t.Errorf("a function beyond the bound got no note: %v", found)
	}
}

// Functions that call each other in every possible way end the search all the same.
func TestTangledFunctionsEnd(t *testing.T) {
	const n = 300
	var b strings.Builder
	b.WriteString("package p\n\nimport \"os\"\n\n")
	for i := range n {
		fmt.Fprintf(&b, "func f%d(g func()) { g(); f%d(g); f%d(func() { f%d(g) }); f%d(f) }\n", i, (i+1)%n, (i*7)%n, (i*13)%n, (i+5)%n)
	}
	b.WriteString("func f() { f0(f); _ = os.Remove(\"a\") }\n\n//holdfast:loop\nfunc run() { f1(func() {}) }\n")
	if found := analyze(t, b.String(), loopblock.Options{}); len(found) != 1 {
		t.Errorf("got %v", found)
	}
}

// A registry of closures that call each other through the registry: each call of
// any may run all, with all that they captured. Without a bound on what one call
// is taken to run, a JSON package of a client library took all memory.
func TestRegistriesOfClosuresEnd(t *testing.T) {
	const n = 150
	var b strings.Builder
	b.WriteString("package p\n\nimport \"os\"\n\nvar table []func(func())\n\n")
	for i := range n {
		fmt.Fprintf(&b, "func wrap%d(f, g func(func())) func(func()) { return func(h func()) { f(h); g(func() { table[%d](h) }); table[%d](h) } }\n", i, i, (i+1)%n)
		fmt.Fprintf(&b, "func register%d() { table = append(table, wrap%d(table[%d], wrap%d(table[0], table[%d]))) }\n", i, i, i, (i*7)%n, (i*3)%n)
	}
	b.WriteString("func last(h func()) { h(); _ = os.Remove(\"a\") }\n\nfunc init() { table = append(table, last) }\n\n")
	b.WriteString("//holdfast:loop\nfunc run() { table[0](func() {}) }\n")
	if found := analyze(t, b.String(), loopblock.Options{}); len(found) != 1 {
		t.Errorf("got %v", found)
	}
}

// Interfaces whose implementations, each in a package of its own, call the next
// ones: from the first on, the ways double with every interface. A library of
// container images took all memory so.
func TestInterfacesThatCallEachOtherAcrossPackagesEnd(t *testing.T) {
	const n = 40
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n"}
	var api, imports, calls strings.Builder
	for i := range n + 3 {
		fmt.Fprintf(&api, "type I%d interface{ M%d() }\n\n", i, i)
	}
	for i := range n {
		files[fmt.Sprintf("p%d/p.go", i)] = fmt.Sprintf("package p%d\n\nimport (\n\t\"m/api\"\n\t\"os\"\n)\n\n"+
			"type T struct { a api.I%d; b api.I%d; c api.I%d }\n\nfunc (t T) M%d() { t.a.M%d(); t.b.M%d(); t.c.M%d(); _ = os.Remove(\"a\") }\n",
			i, i+1, i+2, i+3, i, i+1, i+2, i+3)
		fmt.Fprintf(&imports, "import \"m/p%d\"\n", i)
		fmt.Fprintf(&calls, "\t_ = p%d.T{}\n", i)
	}
	files["api/api.go"] = "package api\n\n" + api.String()
	files["main.go"] = "package main\n\nimport \"m/api\"\n" + imports.String() +
		"\nvar first api.I0\n\n//holdfast:loop\nfunc main() {\n\tfirst.M0()\n" + calls.String() + "}\n"
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	var found []analysis.Diagnostic
	for _, root := range cases.Analyze(t, dir, dir, []*analysis.Analyzer{loopblock.New(loopblock.Options{})}).Roots {
		found = append(found, root.Diagnostics...)
	}
	if len(found) != 1 || !strings.Contains(found[0].Message, "M0 (p0/p.go:10) → os.Remove") {
		t.Errorf("got %v", found)
	}
}

// The bound on the depth counts the functions between the loop and the call.
func TestChainsLongerThanTheDepthAreNotReported(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"os\"\n\n//holdfast:loop\nfunc run() { f0() }\n")
	for i := range 8 {
		fmt.Fprintf(&b, "func f%d() { f%d() }\n", i, i+1)
	}
	b.WriteString("func f8() { _ = os.Remove(\"a\") }\n")
	if found := analyze(t, b.String(), loopblock.Options{}); len(found) != 0 {
		t.Errorf("nine functions deep: %v", found)
	}
	if found := analyze(t, b.String(), loopblock.Options{Depth: 9}); len(found) != 1 {
		t.Errorf("nine functions deep, with that depth: %v", found)
	}
}
