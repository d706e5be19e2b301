package detachedspawn

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An excluded is the part of a package that the current build leaves out:
// files of other systems, architectures and build tags.
type excluded struct {
	fset     *token.FileSet
	path     string           // import path of the package
	known    []*types.Package // what the current build imports
	included []*buildFile
	files    []*buildFile // left out, and worth reading
}

// mentions are what the ignored files of a package must contain one of to
// start or shape a process.
var mentions = [][]byte{
	[]byte(`"os/exec"`), []byte(`"syscall"`), []byte(`golang.org/x/sys/`), []byte("StartProcess"),
}

// readExcluded parses the ignored files, if one of them could start or shape a
// process, and returns them with the first error of one that does not parse.
func readExcluded(fset *token.FileSet, names []string, read func(string) ([]byte, error)) ([]*buildFile, error) {
	contents := make(map[string][]byte)
	relevant := false
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if content, err := read(name); err == nil {
			contents[name] = content
			relevant = relevant || mentionsAny(content)
		}
	}
	if !relevant {
		return nil, nil
	}
	var files []*buildFile
	var failed error
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		syntax, err := parser.ParseFile(fset, name, contents[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		files = append(files, newBuildFile(name, syntax))
	}
	return files, failed
}

func mentionsAny(content []byte) bool {
	return slices.ContainsFunc(mentions, func(m []byte) bool { return bytes.Contains(content, m) })
}

// views returns one view for each build that is needed to see every file.
// A view is type-checked against outlines of the packages that start
// processes; what does not resolve stays unknown and is not judged.
func (e *excluded) views(m *markers, imported func(types.Object) *Detaching) []*view {
	seen := make(map[*buildFile]bool)
	var views []*view
	for _, file := range e.files {
		if seen[file] {
			continue
		}
		seen[file] = true
		t, ok := file.target()
		if !ok {
			continue
		}
		build := []*buildFile{file}
		for _, other := range e.files {
			if other != file && other.belongs(t, file) {
				build = append(build, other)
				seen[other] = true
			}
		}
		if !slices.ContainsFunc(build, (*buildFile).startsProcesses) {
			continue
		}
		build = slices.DeleteFunc(append(build, e.included...), func(other *buildFile) bool {
			return !other.belongs(t, file)
		})
		views = append(views, e.view(outlined(build), m, imported))
	}
	return views
}

// belongs reports whether a build for t has the file in one package with seed.
func (f *buildFile) belongs(t target, seed *buildFile) bool {
	return f.matches(t) && f.syntax.Name.Name == seed.syntax.Name.Name
}

// startsProcesses reports whether the file imports what starts or shapes one.
func (f *buildFile) startsProcesses() bool {
	return slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		path, err := strconv.Unquote(spec.Path.Value)
		return err == nil && (path == "os" || path == "os/exec" || path == "syscall" || strings.HasPrefix(path, "golang.org/x/sys/"))
	})
}

// outlined returns the files of a build, and of those that neither start
// processes nor name a function of one that does, declarations alone: most of
// a large package is then not worth checking again for another platform.
func outlined(build []*buildFile) []*ast.File {
	helpers := make(map[string]bool)
	for _, f := range build {
		if f.startsProcesses() {
			addFunctionNames(helpers, f.syntax)
		}
	}
	var files []*ast.File
	for _, f := range build {
		if f.startsProcesses() || namesAny(f.syntax, helpers) {
			files = append(files, f.syntax)
		} else {
			files = append(files, withoutBodies(f.syntax))
		}
	}
	return files
}

func addFunctionNames(names map[string]bool, file *ast.File) {
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			names[decl.Name.Name] = true
		}
	}
}

func namesAny(file *ast.File, names map[string]bool) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] {
			found = true
		}
		return !found
	})
	return found
}

// withoutBodies copies a file's declarations. The file itself stays as it is:
// the current build's own analysis reads it too.
func withoutBodies(file *ast.File) *ast.File {
	outline := *file
	outline.Decls = slices.Clone(file.Decls)
	for i, decl := range outline.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			bodiless := *decl
			bodiless.Body = nil
			outline.Decls[i] = &bodiless
		}
	}
	return &outline
}

func (e *excluded) view(files []*ast.File, m *markers, imported func(types.Object) *Detaching) *view {
	info := &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue),
		Defs:       make(map[*ast.Ident]types.Object),
		Uses:       make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	config := types.Config{
		Importer:                 newOutlineImporter(e.known),
		Error:                    func(error) {},
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
	}
	// What does not type-check here was never promised to: the current build
	// lacks the other platform's packages. Everything else is in info.
	pkg, _ := config.Check(e.path, e.fset, files, info)
	v := &view{fset: e.fset, pkg: pkg, info: info, files: files, markers: m, imported: imported}
	v.run()
	return v
}

// counterparts maps functions, methods, variables and fields of one view to
// those of the same name in another.
type counterparts map[string]types.Object

func newCounterparts(pkg *types.Package) counterparts {
	c := make(counterparts)
	scope := pkg.Scope()
	for _, n := range scope.Names() {
		obj := scope.Lookup(n)
		c[n] = obj
		typeName, ok := obj.(*types.TypeName)
		if !ok {
			continue
		}
		named, ok := types.Unalias(typeName.Type()).(*types.Named)
		if !ok {
			continue
		}
		for method := range named.Methods() {
			c[n+"."+method.Name()] = method
		}
		if structure, ok := named.Underlying().(*types.Struct); ok {
			for field := range structure.Fields() {
				c[n+"."+field.Name()] = field
			}
		}
	}
	return c
}

// adopt joins the facts of another view with those of this package's own
// objects, so that importers learn of helpers that detach on some platform only.
func (c counterparts) adopt(other *view, facts map[types.Object]*Detaching) {
	theirs := newCounterparts(other.pkg)
	for key, obj := range theirs {
		fact := other.facts[obj]
		mine := c[key]
		if fact.empty() || mine == nil || other.isOwned(obj) {
			continue
		}
		facts[mine] = facts[mine].join(fact)
	}
}
