package unit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// A loaded unit is parsed and type-checked.
type loaded struct {
	fset    *token.FileSet
	files   []*ast.File
	pkg     *types.Package
	info    *types.Info
	sizes   types.Sizes
	imports map[string]*types.Package // every package the type checker heard of
}

// A sourceError says why the package cannot be judged, one position and reason
// to a line.
type sourceError struct{ lines []string }

func (e *sourceError) Error() string { return strings.Join(e.lines, "\n") }

// maxSourceErrors bounds the report, as the compiler bounds its own.
const maxSourceErrors = 10

func (e *sourceError) add(err error) {
	switch {
	case len(e.lines) < maxSourceErrors:
		e.lines = append(e.lines, err.Error())
	case len(e.lines) == maxSourceErrors:
		e.lines = append(e.lines, "too many errors")
	}
}

func (e *sourceError) orNil() error {
	if len(e.lines) == 0 {
		return nil
	}
	return e
}

func load(cfg *config) (*loaded, error) {
	l := &loaded{
		fset:    token.NewFileSet(),
		sizes:   types.SizesFor("gc", goarch()),
		imports: make(map[string]*types.Package),
	}
	if err := l.parse(cfg.GoFiles); err != nil {
		return nil, err
	}
	if err := l.typeCheck(cfg); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *loaded) parse(names []string) error {
	problems := new(sourceError)
	for _, name := range names {
		file, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			problems.add(err)
		}
		l.files = append(l.files, file)
	}
	return problems.orNil()
}

func (l *loaded) typeCheck(cfg *config) error {
	problems := new(sourceError)
	l.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	checker := &types.Config{
		Importer:  l.importer(cfg),
		Sizes:     l.sizes,
		GoVersion: cfg.GoVersion,
		Error:     problems.add,
	}
	pkg, err := checker.Check(cfg.ImportPath, l.fset, l.files, l.info)
	if err := problems.orNil(); err != nil {
		return err
	}
	l.pkg = pkg
	return err
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// importer reads what the compiler exported about the package's imports.
func (l *loaded) importer(cfg *config) types.Importer {
	return importerFunc(func(name string) (*types.Package, error) {
		path, ok := cfg.ImportMap[name] // resolves vendoring
		if !ok {
			return nil, fmt.Errorf("the go command did not resolve the import %q", name)
		}
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if pkg, ok := l.imports[path]; ok && pkg.Complete() {
			return pkg, nil
		}
		file, ok := cfg.PackageFile[path]
		if !ok {
			return nil, noExportData(cfg, path)
		}
		return readExportData(file, l.fset, l.imports, path)
	})
}

// noExportData tells a build that failed from a go command that does not hand
// out export data any more.
func noExportData(cfg *config, path string) error {
	if len(cfg.PackageFile) == 0 {
		return fmt.Errorf("the go command gave no export data (of %q or any other import): holdfast does not support this version of Go yet", path)
	}
	return fmt.Errorf("the go command gave no export data of %q", path)
}

func readExportData(name string, fset *token.FileSet, imports map[string]*types.Package, path string) (*types.Package, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("reading the export data of %q: %w", path, err)
	}
	return gcexportdata.Read(in, fset, imports, path)
}

// goarch is the architecture for which the go command builds.
func goarch() string {
	if arch := os.Getenv("GOARCH"); arch != "" { // the go command sets it for its tools
		return arch
	}
	return runtime.GOARCH
}

// isCgoOutput reports whether a file of the unit is what cgo made of a source
// file, so that only its //line comments tell where a line was written.
func isCgoOutput(name, packageDir string) bool {
	base := filepath.Base(name)
	return filepath.Dir(name) != filepath.Clean(packageDir) &&
		(strings.HasSuffix(base, ".cgo1.go") || strings.HasPrefix(base, "_cgo_"))
}
