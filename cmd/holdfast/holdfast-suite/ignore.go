package main

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/facts/directives"
	"honnef.co/go/tools/analysis/lint"
)

// ignorable makes an analyzer of staticcheck heed //lint:ignore and
// //lint:file-ignore, which staticcheck leaves to its driver.
func ignorable(a *analysis.Analyzer) *analysis.Analyzer {
	heeding := *a
	heeding.Requires = append(slices.Clone(a.Requires), directives.Analyzer)
	heeding.Run = func(pass *analysis.Pass) (any, error) {
		found, _ := pass.ResultOf[directives.Analyzer].([]lint.Directive)
		filtered := *pass
		filtered.Report = func(d analysis.Diagnostic) {
			if !ignored(pass.Fset, found, a.Name, d.Pos) {
				pass.Report(d)
			}
		}
		return a.Run(&filtered)
	}
	return &heeding
}

// ignored reports whether a directive accepts what a check reports at pos.
func ignored(fset *token.FileSet, found []lint.Directive, check string, pos token.Pos) bool {
	at := fset.Position(pos)
	return slices.ContainsFunc(found, func(d lint.Directive) bool {
		if len(d.Arguments) < 2 || !names(d.Arguments[0], check) { // a reason is required
			return false
		}
		node := fset.Position(d.Node.Pos())
		return node.Filename == at.Filename &&
			(d.Command == "file-ignore" || d.Command == "ignore" && node.Line == at.Line)
	})
}

// names reports whether a comma-separated list of patterns names the check.
func names(list, check string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(pattern string) bool {
		match, err := filepath.Match(strings.ToLower(pattern), strings.ToLower(check))
		return err == nil && match
	})
}
