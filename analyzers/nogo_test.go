package analyzers_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/holdfast-go/holdfast/analyzers"
	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
	"github.com/holdfast-go/holdfast/analyzers/markers"
)

// What nogo, of rules_go, compiles into itself: the variable Analyzer of each package.
var nogo = []*analysis.Analyzer{detachedspawn.Analyzer, loopblock.Analyzer, markers.Analyzer}

// nogoModule has something for each analyzer that must come as a fact from
// another package, and something that only a flag asks for.
const nogoModule = `
-- go.mod --
module example.com/m

go 1.26
-- help/help.go --
package help

import (
	"os"
	"syscall"
)

// Attributes start a session.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Save waits for a disk.
func Save() { os.WriteFile("state", nil, 0o600) }

// Ask asks the system.
func Ask() { os.Stat("state") }
-- use/use.go --
package use

import "example.com/m/help"

var attributes = help.Attributes()

//holdfast:loop
func loop() {
	help.Save()
	help.Ask()
}

// detached-spawn: ok — nothing is started here at all
var _ = loop
`

// Bazel's nogo runs analyzers in one process without the protocol of vet tools. It
// knows of a pass less than other drivers: no module, no files that the build
// leaves out, no reading of files.
func TestNogoRunsEveryAnalyzerByItself(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("the fixture starts a session")
	}
	pkgs := load(t, nogoModule)
	want := map[string][]string{
		"detachedspawn": {"help.go:9", "use.go:5"},
		"loopblock":     {"use.go:9"},
		"markers":       {"use.go:13"},
	}
	for _, a := range nogo {
		stripped := strip(t, a)
		if got := places(t, pkgs, stripped); !slices.Equal(got, want[a.Name]) {
			t.Errorf("%s reports %q, want %q", a.Name, got, want[a.Name])
		}
	}
	setFlag(t, loopblock.Analyzer, "kinds", "+stat")
	if got, want := places(t, pkgs, loopblock.Analyzer), []string{"use.go:10", "use.go:9"}; !slices.Equal(got, want) {
		t.Errorf("with analyzer_flags kinds=+stat loopblock reports %q, want %q", got, want)
	}
}

// A BUILD file in the README names the packages that nogo needs: all, and each
// with a variable Analyzer.
func TestTheReadmeNamesNogosDependencies(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, label := range regexp.MustCompile(`"@com_github_holdfast_go_holdfast//analyzers/(\w+)"`).FindAllSubmatch(readme, -1) {
		named = append(named, string(label[1]))
		if !declaresAnalyzer(t, string(label[1])) {
			t.Errorf("package %s has no variable Analyzer", label[1])
		}
	}
	var suite []string
	for _, a := range analyzers.New().All() {
		suite = append(suite, a.Name)
	}
	slices.Sort(named)
	slices.Sort(suite)
	if !slices.Equal(named, suite) {
		t.Errorf("the README names %q, the suite has %q", named, suite)
	}
}

func declaresAnalyzer(t *testing.T, dir string) bool {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
				for _, spec := range gen.Specs {
					if spec.(*ast.ValueSpec).Names[0].Name == "Analyzer" {
						return true
					}
				}
			}
		}
	}
	return false
}

// load writes a module and loads its packages.
func load(t *testing.T, archive string) []*packages.Package {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, file.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	config := &packages.Config{Mode: packages.LoadSyntax, Dir: dir, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")}
	pkgs, err := packages.Load(config, "./...")
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatalf("loading the module: %v", err)
	}
	return pkgs
}

// strip takes from an analyzer's passes what nogo does not give.
func strip(t *testing.T, a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	t.Cleanup(func() { a.Run = run })
	a.Run = func(pass *analysis.Pass) (any, error) {
		less := *pass
		less.Module, less.IgnoredFiles, less.OtherFiles, less.ReadFile = nil, nil, nil, nil
		if pass.TypesInfo != nil { // of a package that is there as export data
			info := *pass.TypesInfo
			info.Instances, info.FileVersions = nil, nil
			less.TypesInfo = &info
		}
		return run(&less)
	}
	return a
}

// places returns "file:line" of what an analyzer reports, sorted.
func places(t *testing.T, pkgs []*packages.Package, a *analysis.Analyzer) []string {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Fatal(action.Err)
		}
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			found = append(found, fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line))
		}
	}
	slices.Sort(found)
	return found
}

func setFlag(t *testing.T, a *analysis.Analyzer, name, value string) {
	t.Helper()
	before := strings.Clone(a.Flags.Lookup(name).Value.String())
	if err := a.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Flags.Set(name, before) })
}
