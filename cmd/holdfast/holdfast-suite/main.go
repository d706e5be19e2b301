// Holdfast-suite is a vet tool with holdfast's analyzers and, where -with asks for
// them, those of go vet and staticcheck, which then share one pass:
//
//	go vet -vettool=$(which holdfast-suite) -with=vet,staticcheck ./...
//
// "holdfast check -with" runs it.
package main

import (
	"os"

	"golang.org/x/tools/go/analysis/suite/vet"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/suite"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

func main() { os.Exit(unit.Tool{Rules: rules()}.Main(os.Args[1:], os.Stdout, os.Stderr)) }

// rules adds the analyzers that go vet runs, and the checks of staticcheck that
// are on by default. U1000 (unused code) is not among them: it can be judged only
// over all variants of a package at once.
func rules() []unit.Rule {
	rules := suite.Rules()
	for _, a := range vet.Suite {
		rules = append(rules, unit.Rule{Analyzer: a, Set: "vet", Standard: true})
	}
	for _, list := range [][]*lint.Analyzer{staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers} {
		for _, a := range list {
			if !a.Doc.NonDefault {
				rules = append(rules, unit.Rule{Analyzer: ignorable(a.Analyzer), Set: "staticcheck", Standard: true})
			}
		}
	}
	return rules
}
