package markers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/scope"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
)

// Category is the category of every finding.
const Category = "marker"

// A Judge is an analyzer that honours markers or directives. Its result is a
// marker.Used, by which the ones that changed nothing become known.
type Judge struct {
	Analyzer *analysis.Analyzer
	Rules    []string // whose markers it looks for, such as "detached-spawn"
	Verbs    []string // whose directives it looks for, such as "owns"
}

// Options configure the analyzer.
type Options struct {
	// Judges are the analyzers of the run that honour markers or directives.
	// What none of them honours is never reported as unused.
	Judges []Judge

	// Tests checks _test.go files as well. The flag -markers.tests sets it
	// too. Unused is reported there only for judges whose own flag "tests" is set.
	Tests bool
}

// Analyzer checks markers and directives for detachedspawn.Analyzer and
// loopblock.Analyzer, which it requires.
var Analyzer = New(Options{Judges: Judges(detachedspawn.Analyzer, loopblock.Analyzer)})

// Judges returns the suite's analyzers as judges: one that reports detached
// spawns, and one that reports blocking work on loops.
func Judges(spawns, loops *analysis.Analyzer) []Judge {
	return []Judge{
		{Analyzer: spawns, Rules: []string{detachedspawn.Category}, Verbs: []string{"owns"}},
		{
			Analyzer: loops,
			Rules:    []string{loopblock.Category},
			Verbs:    []string{"loop", "worker", "blocking", "nonblocking", "offloop"},
		},
	}
}

// New returns an analyzer that checks markers and directives. It requires the
// analyzers of its judges.
func New(options Options) *analysis.Analyzer {
	c := &checker{options: options}
	a := &analysis.Analyzer{
		Name: "markers",
		Doc:  doc,
		URL:  "https://pkg.go.dev/github.com/holdfast-go/holdfast/analyzers/markers",
		Run:  c.run,
	}
	for _, judge := range options.Judges {
		a.Requires = append(a.Requires, judge.Analyzer)
	}
	a.Flags.BoolVar(&c.options.Tests, "tests", options.Tests, "check _test.go files as well")
	return a
}

// Mentions reports whether a file's source may hold something to check. A
// package whose files all say no has no findings, whatever its judges say.
func Mentions(source []byte) bool { return marker.Mentions(source) }

// A checker is the configured analyzer.
type checker struct{ options Options }

func (c *checker) run(pass *analysis.Pass) (any, error) {
	for _, syntax := range pass.Files {
		if !c.covers(pass, syntax) {
			continue
		}
		file := marker.Read(pass.Fset, syntax)
		r := &reporter{pass: pass, fixes: !scope.Processed(pass.Fset, syntax)}
		r.problems(file)
		r.unused(file, c.judges(scope.Name(pass.Fset, syntax)))
	}
	c.runIgnored(pass)
	return nil, nil
}

// runIgnored checks the files that the current build leaves out. Whether their
// markers are used is for the builds that contain them to say.
func (c *checker) runIgnored(pass *analysis.Pass) {
	for _, name := range pass.IgnoredFiles {
		if !strings.HasSuffix(name, ".go") || !c.coversName(name) {
			continue
		}
		source, err := pass.ReadFile(name)
		if err != nil || !marker.Mentions(source) {
			continue // a file that cannot be read is the go command's to report
		}
		syntax, err := parser.ParseFile(pass.Fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || !c.covers(pass, syntax) {
			continue // a file that does not parse is the compiler's to report
		}
		r := &reporter{pass: pass, fixes: true}
		r.problems(marker.Read(pass.Fset, syntax))
	}
}

// covers reports whether a file is one that a person here can correct.
func (c *checker) covers(pass *analysis.Pass, syntax *ast.File) bool {
	return c.coversName(scope.Name(pass.Fset, syntax)) && !scope.Generated(pass.Fset, syntax)
}

func (c *checker) coversName(name string) bool {
	return !scope.Vendored(name) && (c.options.Tests || !scope.Test(name))
}

// judges returns the judges that look at the named file.
func (c *checker) judges(name string) []Judge {
	if !scope.Test(name) {
		return c.options.Judges
	}
	return slices.DeleteFunc(slices.Clone(c.options.Judges), func(j Judge) bool {
		tests := j.Analyzer.Flags.Lookup("tests")
		return tests == nil || tests.Value.String() != "true"
	})
}

// A reporter reports on one file.
type reporter struct {
	pass  *analysis.Pass
	fixes bool // whether an edit of the file would last
}

func (r *reporter) report(d analysis.Diagnostic) {
	d.Category = Category
	if !r.fixes {
		d.SuggestedFixes = nil
	}
	r.pass.Report(d)
}

func (r *reporter) problems(file *marker.File) {
	for _, p := range file.Problems {
		r.report(analysis.Diagnostic{Pos: p.Pos, End: p.End, Message: p.Message, SuggestedFixes: p.Fixes})
	}
}

// unused reports what changed nothing in the results of the judges.
func (r *reporter) unused(file *marker.File, judges []Judge) {
	for _, m := range file.Markers {
		if r.idle(m.Pos, judges, func(j Judge) bool { return slices.Contains(j.Rules, string(m.Rule)) }) {
			r.report(analysis.Diagnostic{
				Pos: m.Pos, End: m.End,
				Message: fmt.Sprintf("unused %s marker: there is nothing to accept on line %d; delete it, or move it to the line it is for",
					m.Rule, m.Covers),
				SuggestedFixes: file.RemoveMarker(m),
			})
		}
	}
	for _, d := range file.Directives {
		if !hasProblem(file, d.Pos) && r.idle(d.Pos, judges, func(j Judge) bool { return slices.Contains(j.Verbs, string(d.Verb)) }) {
			r.report(analysis.Diagnostic{
				Pos: d.Pos, End: d.End,
				Message: fmt.Sprintf("unused directive //holdfast:%s: it changes nothing about the declaration on line %d; delete it",
					d.Verb, d.Covers),
				SuggestedFixes: file.RemoveDirective(d),
			})
		}
	}
}

// idle reports whether at least one judge looks for what stands at a position
// and none of those had a use for it.
func (r *reporter) idle(pos token.Pos, judges []Judge, looks func(Judge) bool) bool {
	judged := false
	for _, judge := range judges {
		if !looks(judge) {
			continue
		}
		judged = true
		if used, _ := r.pass.ResultOf[judge.Analyzer].(marker.Used); used[pos] {
			return false
		}
	}
	return judged
}

func hasProblem(file *marker.File, pos token.Pos) bool {
	return slices.ContainsFunc(file.Problems, func(p marker.Problem) bool { return p.Pos == pos })
}
