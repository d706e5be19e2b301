package detachedspawn

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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

// mentions are what a file must contain one of to start or shape a process.
var mentions = [][]byte{
	[]byte(`"os/exec"`), []byte(`"syscall"`), []byte(`golang.org/x/sys/`), []byte("StartProcess"),
}

// readExcluded parses the ignored files that could start or shape a process.
// A file that cannot be read or parsed is left to the builds that compile it.
func readExcluded(fset *token.FileSet, names []string, read func(string) ([]byte, error)) []*buildFile {
	var files []*buildFile
	relevant := false
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		content, err := read(name)
		if err != nil {
			continue
		}
		syntax, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		relevant = relevant || mentionsAny(content)
		files = append(files, newBuildFile(name, syntax))
	}
	if !relevant {
		return nil
	}
	return files
}

func mentionsAny(content []byte) bool {
	for _, m := range mentions {
		if bytes.Contains(content, m) {
			return true
		}
	}
	return false
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
		files := []*ast.File{file.syntax}
		for _, other := range e.included {
			if other.matches(t) && other.syntax.Name.Name == file.syntax.Name.Name {
				files = append(files, other.syntax)
			}
		}
		for _, other := range e.files {
			if other != file && other.matches(t) && other.syntax.Name.Name == file.syntax.Name.Name {
				files = append(files, other.syntax)
				seen[other] = true
			}
		}
		views = append(views, e.view(files, m, imported))
	}
	return views
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
