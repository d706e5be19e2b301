package unit

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/overlay"
)

// A loaded unit is parsed and type-checked.
type loaded struct {
	fset  *token.FileSet
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
	sizes types.Sizes
}

// A sourceError says why the package cannot be judged, one position and reason
// to a line.
type sourceError struct{ errs []error }

// maxSourceErrors bounds the report, as the compiler bounds its own.
const maxSourceErrors = 10

func (e *sourceError) Error() string {
	// The type checker visits declarations in an order of its own.
	slices.SortStableFunc(e.errs, func(a, b error) int { return cmp.Compare(errorPos(a), errorPos(b)) })
	var lines []string
	for i, err := range e.errs {
		if i == maxSourceErrors {
			lines = append(lines, "too many errors")
			break
		}
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

func errorPos(err error) token.Pos {
	var typeErr types.Error
	if errors.As(err, &typeErr) {
		return typeErr.Pos
	}
	return token.NoPos
}

func (e *sourceError) add(err error) { e.errs = append(e.errs, err) }

func (e *sourceError) orNil() error {
	if len(e.errs) == 0 {
		return nil
	}
	return e
}

// load parses and type-checks the unit.
func load(cfg *config) (*loaded, error) {
	l := &loaded{
		fset:  token.NewFileSet(),
		sizes: types.SizesFor("gc", goarch()),
		info: &types.Info{
			Types:        make(map[ast.Expr]types.TypeAndValue),
			Defs:         make(map[*ast.Ident]types.Object),
			Uses:         make(map[*ast.Ident]types.Object),
			Implicits:    make(map[ast.Node]types.Object),
			Instances:    make(map[*ast.Ident]types.Instance),
			Scopes:       make(map[ast.Node]*types.Scope),
			Selections:   make(map[*ast.SelectorExpr]*types.Selection),
			FileVersions: make(map[*ast.File]string),
		},
	}
	if err := l.parse(cfg.GoFiles, parser.ParseComments); err != nil {
		return nil, err
	}
	return l, l.typeCheck(cfg)
}

// compiles finds the errors of a unit that nobody analyses: a package that the
// compiler would reject does not count as judged.
func compiles(cfg *config) error {
	if len(cfg.GoFiles) == 0 {
		return nil
	}
	l := &loaded{fset: token.NewFileSet(), sizes: types.SizesFor("gc", goarch())}
	if err := l.parse(cfg.GoFiles, 0); err != nil {
		return err
	}
	return l.typeCheck(cfg)
}

func (l *loaded) parse(names []string, mode parser.Mode) error {
	problems := new(sourceError)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			problems.add(err)
			continue
		}
		file, err := parser.ParseFile(l.fset, overlay.Original(name), text, mode|parser.SkipObjectResolution)
		if err != nil {
			problems.add(err)
		}
		l.files = append(l.files, file)
	}
	return problems.orNil()
}

func (l *loaded) typeCheck(cfg *config) error {
	problems := new(sourceError)
	checker := &types.Config{
		Importer:  exportDataImporter(l.fset, cfg),
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

// exportDataImporter reads what the compiler exported about the package's imports.
func exportDataImporter(fset *token.FileSet, cfg *config) types.Importer {
	byPath := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		name, ok := cfg.PackageFile[path]
		if !ok {
			return nil, noExportData(cfg, path)
		}
		return os.Open(name)
	})
	return importerFunc(func(name string) (*types.Package, error) {
		path, ok := cfg.ImportMap[name] // resolves vendoring
		if !ok {
			return nil, fmt.Errorf("the go command did not resolve the import %q", name)
		}
		return byPath.Import(path)
	})
}

// noExportData tells a build that failed from a go command that does not hand
// out export data any more.
func noExportData(cfg *config, path string) error {
	if len(cfg.PackageFile) == 0 {
		return fmt.Errorf("the go command gave no export data (of %q or any other import): this holdfast does not know how that version of Go works", path)
	}
	return fmt.Errorf("the go command gave no export data of %q", path)
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
