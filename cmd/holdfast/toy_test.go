package main

import (
	"errors"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// The toy analyzer tests the driver, whatever the real ones do: it reports
// functions that are called Bad and, in any package, uses of functions that are
// called Helper. On a function Panics it panics, on a function Fails it fails.
var toyAnalyzer = &analysis.Analyzer{
	Name:      "toy",
	Doc:       "report functions called Bad, and uses of helpers",
	Run:       runToy,
	FactTypes: []analysis.Fact{new(toyFact)},
}

type toyFact struct{ Name string }

func (*toyFact) AFact() {}

func runToy(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if err := toyFunc(pass, fn); err != nil {
					return nil, err
				}
			}
		}
	}
	for id, obj := range pass.TypesInfo.Uses {
		fact := new(toyFact)
		if fn, ok := obj.(*types.Func); ok && pass.ImportObjectFact(fn, fact) {
			pass.ReportRangef(id, "use of %s", fact.Name)
		}
	}
	return nil, nil
}

func toyFunc(pass *analysis.Pass, fn *ast.FuncDecl) error {
	switch fn.Name.Name {
	case "Bad":
		pass.Report(analysis.Diagnostic{
			Pos:     fn.Name.Pos(),
			End:     fn.Name.End(),
			Message: "function Bad",
			SuggestedFixes: []analysis.SuggestedFix{{
				Message:   "call it Good",
				TextEdits: []analysis.TextEdit{{Pos: fn.Name.Pos(), End: fn.Name.End(), NewText: []byte("Good")}},
			}},
		})
	case "Helper":
		pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], &toyFact{"Helper of " + pass.Pkg.Name()})
	case "Panics":
		panic("the toy broke")
	case "Fails":
		return errors.New("the toy gave up")
	}
	return nil
}
