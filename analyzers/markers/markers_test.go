package markers

import (
	"go/ast"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
)

// newSpawn returns a judge that takes every call of a function named spawn for
// a detached spawn.
func newSpawn() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:       "spawn",
		Doc:        "stand-in for detachedspawn",
		Run:        runSpawn,
		ResultType: reflect.TypeFor[marker.Used](),
	}
	a.Flags.Bool("tests", false, "")
	return a
}

func runSpawn(pass *analysis.Pass) (any, error) {
	used := make(marker.Used)
	for _, syntax := range pass.Files {
		file := marker.Read(pass.Fset, syntax)
		var owner *ast.FuncDecl
		ast.Inspect(syntax, func(node ast.Node) bool {
			if function, ok := node.(*ast.FuncDecl); ok {
				owner = function
			}
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "spawn" {
				return true
			}
			owned := file.On(owner, marker.Owns)
			for _, d := range owned {
				used[d.Pos] = true
			}
			m := file.Find(marker.DetachedSpawn, call.Pos())
			if m != nil {
				used[m.Pos] = true
			}
			if m == nil && len(owned) == 0 {
				pass.Report(analysis.Diagnostic{Pos: call.Pos(), Category: string(marker.DetachedSpawn), Message: "spawn without a marker"})
			}
			return true
		})
	}
	return used, nil
}

// newSuite returns the analyzer with one judge. It passes that judge's
// findings on, so that a test file shows both.
func newSuite(t *testing.T) *analysis.Analyzer {
	t.Helper()
	spawn := newSpawn()
	a := New(Options{Judges: []Judge{{
		Analyzer: spawn,
		Rules:    []marker.Rule{marker.DetachedSpawn},
		Verbs:    []marker.Verb{marker.Owns},
	}}})
	check := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		_, err := runSpawn(pass)
		if err != nil {
			return nil, err
		}
		return check(pass)
	}
	if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestMarkers(t *testing.T) {
	for _, pkg := range []string{"used", "spelling", "duplicate", "loose", "lines", "generated", "vendor/x"} {
		t.Run(pkg, func(t *testing.T) {
			analysistest.Run(t, analysistest.TestData(), newSuite(t), pkg)
		})
	}
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), newSuite(t), "fix")
}

// TestUnusedNeedsAJudge runs without any: nothing can be called unused.
func TestUnusedNeedsAJudge(t *testing.T) {
	for _, message := range run(t, New(Options{}), "used") {
		t.Errorf("unexpected: %s", message)
	}
}

// TestTestFiles turns on the flags one after the other: the markers analyzer
// looks at test files, and then its judge does.
func TestTestFiles(t *testing.T) {
	a := newSuite(t)
	wantMessages(t, run(t, a, "tests"), "spawn without a marker")

	set(t, a)
	wantMessages(t, run(t, a, "tests"), "spawn without a marker", "misspelt marker")

	set(t, a.Requires[0])
	wantMessages(t, run(t, a, "tests"), "spawn without a marker", "misspelt marker", "unused detached-spawn marker")
}

func set(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	if err := a.Flags.Set("tests", "true"); err != nil {
		t.Fatal(err)
	}
}

// TestExcludedFiles reads the files that no build here contains: what is wrong
// in them is reported, what may be unused is not.
func TestExcludedFiles(t *testing.T) {
	wantMessages(t, run(t, newSuite(t), "excluded"), "misspelt marker")
}

// run returns the messages of an analyzer in testdata, in order and without judging them.
func run(t *testing.T, a *analysis.Analyzer, pkg string) []string {
	t.Helper()
	var messages []string
	for _, result := range analysistest.Run(silent{}, analysistest.TestData(), a, pkg) {
		if result.Err != nil {
			t.Fatal(result.Err)
		}
		for _, d := range result.Diagnostics {
			messages = append(messages, d.Message)
		}
	}
	return messages
}

// silent takes the complaints of analysistest about files it does not read expectations from.
type silent struct{}

func (silent) Errorf(string, ...any) {}

// wantMessages compares the beginnings of messages.
func wantMessages(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range got {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}
