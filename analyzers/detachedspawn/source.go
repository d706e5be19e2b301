package detachedspawn

import (
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/analysis"
)

// Files judges the files of one package that no build at hand compiles: they
// are for other systems, or behind build tags. What their imports and their own
// declarations tell is all that is known of them, so helpers of other packages
// are not followed. The positions of the diagnostics are in fset.
// Files that cannot be read or parsed are an error.
func Files(fset *token.FileSet, importPath string, names []string) ([]analysis.Diagnostic, error) {
	var failed error
	read := func(name string) ([]byte, error) {
		content, err := os.ReadFile(name)
		if err != nil {
			failed = err
		}
		return content, err
	}
	e := &excluded{fset: fset, path: importPath}
	files, err := readExcluded(fset, names, read)
	if err != nil {
		return nil, err
	}
	if e.files = files; failed != nil {
		return nil, failed
	}
	nothing := func(types.Object) *Detaching { return nil }
	all := newMarkers(fset)
	var diagnostics []analysis.Diagnostic
	views := e.views(all, nothing)
	for _, f := range merge(fset, views) {
		if all.skips(f.pos) || all.find(f.pos, f.statement) != nil || f.owned {
			continue
		}
		diagnostics = append(diagnostics, views[0].diagnostic(f))
	}
	return diagnostics, nil
}
