// Package cases runs an analyzer over txtar archives, each named after what it
// protects. Expectations stand in the sources as in analysistest:
//
//	cmd.SysProcAttr = attrs // want `regular expression`
//
// but count in files that the build leaves out as well. What a file becomes
// when the first fix of each diagnostic is applied stands in file.go.golden. All archives of a
// directory become packages of one module, "cases/<archive name>/…", and are
// loaded once.
package cases

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// testdata is where the tests of an analyzer have their cases.
const testdata = "testdata"

// Run extracts every archive of testdata/cases and compares what the analyzers
// report with what the sources expect. Modules that cases import stand below
// testdata/stubs, under their module path.
func Run(t *testing.T, analyzers ...*analysis.Analyzer) {
	t.Helper()
	dir := Extract(t, testdata)
	graph := Analyze(t, testdata, dir, analyzers)
	got := diagnostics(t, graph)
	repaired := fixes(graph)
	for _, name := range names(t, testdata) {
		t.Run(name, func(t *testing.T) {
			compare(t, filepath.Join(dir, name), got)
			compareFixes(t, filepath.Join(dir, name), repaired)
		})
	}
}

// Extract writes the cases of a testdata directory into a module below a
// temporary one and returns its path.
func Extract(t *testing.T, testdata string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, testdata) {
		archive, err := txtar.ParseFile(filepath.Join(testdata, "cases", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			write(t, filepath.Join(dir, name, filepath.FromSlash(file.Name)), file.Data)
		}
	}
	write(t, filepath.Join(dir, "go.mod"), []byte(goMod(t, testdata)))
	return dir
}

func names(t *testing.T, testdata string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata, "cases", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases below %s/cases (%v)", testdata, err)
	}
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(p), ".txtar")
	}
	return paths
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goMod requires every stub module and replaces it with its directory.
func goMod(t *testing.T, testdata string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("module cases\n\ngo 1.26.0\n")
	for _, module := range stubs(t, testdata) {
		fmt.Fprintf(&b, "\nrequire %s v%s.0.0\nreplace %s => %s\n", module, major(module), module, stubDir(t, testdata, module))
	}
	return b.String()
}

// stubs returns the paths of the modules below testdata/stubs.
func stubs(t *testing.T, testdata string) []string {
	t.Helper()
	root := stubDir(t, testdata, "")
	var modules []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		modules = append(modules, filepath.ToSlash(rel))
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return modules
}

func stubDir(t *testing.T, testdata, module string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(testdata, "stubs", filepath.FromSlash(module)))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// major returns the major version that a module path asks for.
func major(module string) string {
	_, last, found := strings.Cut(filepath.Base(module), "v")
	if _, err := strconv.Atoi(last); found && err == nil && strings.HasPrefix(filepath.Base(module), "v") {
		return last
	}
	return "0"
}

// Analyze runs analyzers in this process on the cases that were extracted into
// dir, with their tests.
func Analyze(t *testing.T, testdata, dir string, analyzers []*analysis.Analyzer) *checker.Graph {
	t.Helper()
	config := &packages.Config{
		Mode:  packages.LoadSyntax | packages.NeedModule,
		Dir:   dir,
		Tests: true,
		Env:   append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off"),
	}
	// Stubs too: without syntax of their own, nothing would be known of them.
	patterns := []string{"./..."}
	for _, module := range stubs(t, testdata) {
		patterns = append(patterns, module+"/...")
	}
	pkgs, err := packages.Load(config, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the cases do not type-check")
	}
	graph, err := checker.Analyze(analyzers, pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

// A place is a line of a source file.
type place struct {
	file string
	line int
}

func diagnostics(t *testing.T, graph *checker.Graph) map[place][]string {
	t.Helper()
	got := make(map[place][]string)
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Errorf("%s: %v", action, action.Err)
		}
		for _, d := range action.Diagnostics {
			at := position(action.Package.Fset, d.Pos)
			if !slices.Contains(got[at], d.Message) { // test variants see a file twice
				got[at] = append(got[at], d.Message)
			}
		}
	}
	return got
}

func position(fset *token.FileSet, pos token.Pos) place {
	p := fset.PositionFor(pos, false)
	return place{p.Filename, p.Line}
}

var (
	wantComment = regexp.MustCompile("// want ((?:`[^`]*`\\s*)+)")
	wantPattern = regexp.MustCompile("`([^`]*)`")
)

func compare(t *testing.T, dir string, got map[place][]string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			compareLine(t, dir, place{path, i + 1}, line, got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func compareLine(t *testing.T, dir string, at place, line string, got map[place][]string) {
	t.Helper()
	name, _ := filepath.Rel(dir, at.file)
	messages := slices.Clone(got[at])
	if m := wantComment.FindStringSubmatch(line); m != nil {
		for _, pattern := range wantPattern.FindAllStringSubmatch(m[1], -1) {
			wanted := regexp.MustCompile(pattern[1])
			i := slices.IndexFunc(messages, wanted.MatchString)
			if i < 0 {
				t.Errorf("%s:%d: no diagnostic matches %q; got %q", name, at.line, pattern[1], messages)
				continue
			}
			messages = slices.Delete(messages, i, i+1)
		}
	}
	for _, message := range messages {
		t.Errorf("%s:%d: unexpected diagnostic: %s", name, at.line, message)
	}
}
