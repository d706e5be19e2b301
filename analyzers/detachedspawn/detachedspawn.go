package detachedspawn

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/scope"
)

// Category is the category of every finding, and the name of its marker.
const Category = string(marker.DetachedSpawn)

// Options configure the analyzer.
type Options struct {
	// Tests judges _test.go files as well.
	// The flag -detachedspawn.tests sets it too.
	Tests bool
}

// Analyzer reports detached spawns with the default options.
var Analyzer = New(Options{})

// New returns an analyzer that reports detached spawns. Its result is a
// marker.Used.
func New(options Options) *analysis.Analyzer {
	c := &checker{options: options}
	a := &analysis.Analyzer{
		Name:       "detachedspawn",
		Doc:        doc,
		URL:        "https://pkg.go.dev/github.com/holdfast-go/holdfast/analyzers/detachedspawn",
		Run:        c.run,
		FactTypes:  []analysis.Fact{(*Detaching)(nil)},
		ResultType: usedType,
	}
	a.Flags.BoolVar(&c.options.Tests, "tests", options.Tests, "judge _test.go files as well")
	return a
}

// A checker is the configured analyzer.
type checker struct{ options Options }

// run looks at the package as this build sees it, then at what this build
// leaves out, reports both, and exports what importers need to know.
func (c *checker) run(pass *analysis.Pass) (any, error) {
	imported := importer(pass)
	own := &view{
		fset:     pass.Fset,
		pkg:      pass.Pkg,
		info:     pass.TypesInfo,
		files:    c.judged(pass),
		markers:  newMarkers(pass.Fset),
		imported: imported,
	}
	own.run()
	rest := c.excluded(pass)
	views := append([]*view{own}, rest.views(own.markers, imported)...)
	c.export(pass, views)
	return c.report(pass, views), nil
}

// importer returns the facts of other packages' objects.
func importer(pass *analysis.Pass) func(types.Object) *Detaching {
	return func(obj types.Object) *Detaching {
		fact := new(Detaching)
		if !pass.ImportObjectFact(obj, fact) {
			return nil
		}
		return fact
	}
}

// judged returns the files to look at: all, without tests unless asked for.
func (c *checker) judged(pass *analysis.Pass) []*ast.File {
	return slices.DeleteFunc(slices.Clone(pass.Files), func(f *ast.File) bool {
		return !c.options.Tests && scope.Test(pass.Fset.File(f.FileStart).Name())
	})
}

func (c *checker) excluded(pass *analysis.Pass) *excluded {
	names := slices.DeleteFunc(slices.Clone(pass.IgnoredFiles), func(name string) bool {
		return !c.options.Tests && scope.Test(name)
	})
	e := &excluded{fset: pass.Fset, path: pass.Pkg.Path(), known: pass.Pkg.Imports()}
	if pass.Module != nil && pass.Module.Version != "" {
		// Somebody else's module: its other platforms matter to runs for them.
		return e
	}
	// What does not parse is left to the builds that compile it.
	e.files, _ = readExcluded(pass.Fset, names, pass.ReadFile)
	if len(e.files) == 0 {
		return e
	}
	for _, file := range c.judged(pass) {
		e.included = append(e.included, newBuildFile(pass.Fset.File(file.FileStart).Name(), file))
	}
	return e
}

// export publishes what this package's objects do, over all views.
func (c *checker) export(pass *analysis.Pass, views []*view) {
	own := views[0]
	facts := own.facts
	mine := newCounterparts(pass.Pkg)
	for _, v := range views[1:] {
		mine.adopt(v, facts)
	}
	for obj, fact := range facts {
		if !own.isOwned(obj) && !fact.empty() && isShared(obj, pass.Pkg) {
			pass.ExportObjectFact(obj, fact)
		}
	}
}

// isShared reports whether another package can use the object: it is no local
// variable.
func isShared(obj types.Object, pkg *types.Package) bool {
	v, ok := obj.(*types.Var)
	return !ok || v.IsField() || v.Parent() == pkg.Scope()
}

// report prints every finding that no marker accepts, once, in the order of
// the source, and returns the markers and directives that mattered.
func (c *checker) report(pass *analysis.Pass, views []*view) marker.Used {
	used := make(marker.Used)
	own := views[0]
	for _, v := range views {
		for pos := range v.usedOwns {
			used[pos] = true
		}
	}
	for _, f := range merge(pass.Fset, views) {
		if own.markers.skips(f.pos) {
			continue
		}
		if m := own.markers.find(f.pos, f.statement); m != nil {
			used[m.Pos] = true
			continue
		}
		if f.owned {
			continue
		}
		d := own.diagnostic(f)
		if own.findings[findingKey{f.pos, f.end}] == f {
			d.SuggestedFixes = own.fix(f)
		}
		pass.Report(d)
	}
	return used
}

// merge returns the findings of all views, by file and position. Where views disagree on
// why a place detaches, as they do for a helper that each platform writes in
// its own way, the choice is by source, so that every platform says the same.
func merge(fset *token.FileSet, views []*view) []*finding {
	chosen := make(map[findingKey]*finding)
	for _, v := range views {
		for key, f := range v.findings {
			if known := chosen[key]; known == nil || f.compare(known) < 0 {
				chosen[key] = f
			}
		}
	}
	return slices.SortedFunc(maps.Values(chosen), func(a, b *finding) int {
		return cmp.Or(chain.Compare(fset, a.pos, b.pos), cmp.Compare(a.end, b.end))
	})
}

func (v *view) diagnostic(f *finding) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos:      f.pos,
		End:      f.end,
		Category: Category,
		Message:  f.message(v.directory(f.pos)),
		Related:  chain.Related(v.fset, f.hops),
	}
}
