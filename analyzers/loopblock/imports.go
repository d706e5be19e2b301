package loopblock

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/scope"
)

// imports is what the facts say about other packages. A package's fact is
// decoded when one of its objects is first asked for.
type imports struct {
	pass     *analysis.Pass
	settings *settings
	module   string // path of the module under analysis, or ""
	packages map[*types.Package]*imported
	err      error // the first fact that could not be decoded
}

// imported is one package's fact.
type imported struct {
	summaries map[string]*Summary
	fields    map[*types.Var]*Summary // of the structs among the keys; made when first needed
}

func newImports(pass *analysis.Pass, options *settings) *imports {
	k := &imports{pass: pass, settings: options, packages: make(map[*types.Package]*imported)}
	if pass.Module != nil {
		k.module = pass.Module.Path
	}
	return k
}

func (k *imports) of(pkg *types.Package) *imported {
	if pkg == nil || pkg == k.pass.Pkg {
		return nil
	}
	known, ok := k.packages[pkg]
	if ok {
		return known
	}
	fact := new(Summaries)
	if !isStandard(pkg.Path(), k.module) && k.pass.ImportPackageFact(pkg, fact) {
		summaries, err := fact.decode()
		if err != nil && k.err == nil {
			k.err = err
		}
		known = &imported{summaries: summaries}
	}
	k.packages[pkg] = known
	return known
}

// function returns what is known of a function or method of another package.
func (k *imports) function(fn *types.Func) *Summary {
	if pkg := k.of(fn.Pkg()); pkg != nil {
		return pkg.summaries[functionKey(fn)]
	}
	return nil
}

// variable returns what is known of a variable or field of another package.
func (k *imports) variable(v *types.Var) *Summary {
	pkg := k.of(v.Pkg())
	if pkg == nil {
		return nil
	}
	if !v.IsField() {
		if v.Parent() == v.Pkg().Scope() {
			return pkg.summaries[v.Name()]
		}
		return nil
	}
	if pkg.fields == nil {
		pkg.fields = fieldsOf(v.Pkg(), pkg.summaries)
	}
	return pkg.fields[v]
}

// named returns what a directive says of the functions of a named type.
func (k *imports) named(t *types.TypeName) *Summary {
	if pkg := k.of(t.Pkg()); pkg != nil {
		return pkg.summaries[t.Name()]
	}
	return nil
}

// stored returns the paths that the packages of a module tell of under a key.
func (k *imports) stored(packages *lookup, module, key string) []Path {
	var all []Path
	for _, pkg := range packages.list {
		if !within(pkg.Path(), module) {
			continue
		}
		if known := k.of(pkg); known != nil && known.summaries[key] != nil {
			all = append(all, known.summaries[key].Paths...)
		}
	}
	return shortest(all)
}

func fieldsOf(pkg *types.Package, summaries map[string]*Summary) map[*types.Var]*Summary {
	fields := make(map[*types.Var]*Summary)
	for key, summary := range summaries {
		owner, name, ok := strings.Cut(key, ".")
		if !ok {
			continue
		}
		t, ok := pkg.Scope().Lookup(owner).(*types.TypeName)
		if !ok {
			continue
		}
		structure, ok := t.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range structure.Fields() {
			if field.Name() == name {
				fields[field] = summary
			}
		}
	}
	return fields
}

// opaque reports whether the bodies of a package say nothing about it.
func (k *imports) opaque(path string) bool {
	return isStandard(path, k.module) || roots.Opaque(path)
}

// functionKey returns the key of a function or method in a fact.
func functionKey(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return ownerName(recv.Type()) + "." + fn.Name()
	}
	return fn.Name()
}

// isStandard reports whether a package is of the standard library: by the first
// element of its path, because a module's need not have a dot.
func isStandard(path, module string) bool {
	if module != "" && within(path, module) {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	return standard[first]
}

// within reports whether the package is one of the module.
func within(path, module string) bool {
	rest, ok := strings.CutPrefix(path, module)
	return ok && (rest == "" || rest[0] == '/' || rest == "_test")
}

// standard has the first path elements of the library of Go 1.26.
var standard = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(`archive bufio builtin bytes cmd cmp compress container context crypto
		database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps
		math mime net os path plugin reflect regexp runtime simd slices sort strconv strings structs sync
		syscall testing text time unicode unique unsafe vendor weak`) {
		set[name] = true
	}
	return set
}()

func isTest(pass *analysis.Pass, file *ast.File) bool {
	return scope.Test(pass.Fset.File(file.FileStart).Name())
}
