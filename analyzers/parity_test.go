package analyzers_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers"
	"github.com/holdfast-go/holdfast/analyzers/internal/cases"
)

// The analyzers say the same, whichever way they are run: by go vet, whose
// units see of each other what facts and export data carry, also from its cache;
// by holdfast check; and in one process that has everything in memory.
//
// With HOLDFAST_E2E=1 check starts from an empty build cache, and every option
// is switched on in a second round.
func TestEveryDriverFindsTheSame(t *testing.T) {
	long := os.Getenv("HOLDFAST_E2E") != ""
	tool := buildTool(t)
	rounds := map[string][]string{"defaults": nil}
	if long {
		rounds["everything"] = []string{
			"-loopblock.kinds=+stat,+lock,+stdio", "-loopblock.auto", "-loopblock.tests", "-detachedspawn.tests", "-markers.tests",
		}
	}
	for _, of := range []string{".", "detachedspawn", "loopblock"} {
		testdata := filepath.Join(of, "testdata")
		for name, flags := range rounds {
			t.Run(of+"/"+name, func(t *testing.T) {
				p := parity{t: t, tool: tool, dir: cases.Extract(t, testdata), flags: flags}
				p.env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GOCACHE="+p.cache(long))
				p.compare(testdata)
			})
		}
	}
}

// parity is one module, looked at in every way.
type parity struct {
	t     *testing.T
	tool  string
	dir   string
	flags []string
	env   []string
}

// findings are those of each package, and there of each analyzer, in their order.
type findings map[string]map[string][]string

func (p parity) compare(testdata string) {
	checked := p.check() // before go vet has filled the cache
	first, second := p.vet(), p.vet()
	same := p.inProcess(testdata, first)
	if first.count() == 0 {
		p.t.Fatal("there is nothing to compare")
	}
	p.t.Logf("%d packages, %d findings", len(first), first.count())
	p.differ("go vet", first, "go vet from its cache", second)
	p.differ("go vet", first, "one process", same)
	if all := first.all(); !slices.Equal(all, checked) {
		p.t.Errorf("go vet and holdfast check differ:\n%s", difference(all, checked))
	}
}

func (p parity) differ(nameA string, a findings, nameB string, b findings) {
	for _, pkg := range slices.Sorted(maps.Keys(a)) {
		for _, analyzer := range slices.Sorted(maps.Keys(a[pkg])) {
			if x, y := a[pkg][analyzer], b[pkg][analyzer]; !slices.Equal(x, y) {
				p.t.Errorf("%s in %s: %s and %s differ:\n%s", analyzer, pkg, nameA, nameB, difference(x, y))
			}
		}
	}
	for pkg := range b {
		for analyzer, list := range b[pkg] {
			if len(a[pkg][analyzer]) == 0 && len(list) > 0 {
				p.t.Errorf("%s in %s: %s alone has\n%s", analyzer, pkg, nameB, difference(nil, list))
			}
		}
	}
}

// difference lists what only one has; without any, it is the order that differs.
func difference(a, b []string) string {
	var out strings.Builder
	for _, line := range a {
		if !slices.Contains(b, line) {
			fmt.Fprintf(&out, "- %s\n", line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			fmt.Fprintf(&out, "+ %s\n", line)
		}
	}
	if out.Len() == 0 {
		return fmt.Sprintf("the order\n%s\nand\n%s\n", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
	return out.String()
}

func (f findings) count() int { return len(f.all()) }

// all returns the findings of all packages, sorted.
func (f findings) all() []string {
	var all []string
	for _, analyzers := range f {
		for _, list := range analyzers {
			all = append(all, list...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A diagnostic is what go vet -json prints.
type diagnostic struct {
	Category string `json:"category"`
	Posn     string `json:"posn"`
	End      string `json:"end"`
	Message  string `json:"message"`
	Related  []struct {
		Posn    string `json:"posn"`
		Message string `json:"message"`
	} `json:"related"`
	Fixes []struct {
		Message string `json:"message"`
		Edits   []edit `json:"edits"`
	} `json:"suggested_fixes"`
}

type edit struct {
	Filename   string
	Start, End int
	New        string
}

func (p parity) vet() findings {
	// The salt keeps the first run from what check has left in the cache.
	args := append([]string{"vet", "-vettool=" + p.tool, "-json", "-advice", "-holdfast.roots=parity"}, p.flags...)
	decoder := json.NewDecoder(bytes.NewReader(p.run("go", append(args, "./...")...)))
	all := make(findings)
	for {
		var tree map[string]map[string][]diagnostic
		if err := decoder.Decode(&tree); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			p.t.Fatal(err)
		}
		for id, analyzers := range tree {
			pkg, _, _ := strings.Cut(id, " ")
			all[pkg] = make(map[string][]string)
			for analyzer, list := range analyzers {
				for _, d := range list {
					all[pkg][analyzer] = append(all[pkg][analyzer], p.spell(d))
				}
			}
		}
	}
}

// spell writes a diagnostic as one text.
func (p parity) spell(d diagnostic) string {
	text := fmt.Sprintf("%s to %s: %s (%s)", p.relative(d.Posn), p.relative(d.End), d.Message, d.Category)
	for _, r := range d.Related {
		text += fmt.Sprintf("\n\t%s: %s", p.relative(r.Posn), r.Message)
	}
	for _, fix := range d.Fixes {
		text += "\n\tfix: " + fix.Message
		for _, e := range fix.Edits {
			text += fmt.Sprintf("\n\t\t%s %d-%d %q", p.relative(e.Filename), e.Start, e.End, e.New)
		}
	}
	return text
}

func (p parity) relative(place string) string {
	return strings.TrimPrefix(filepath.ToSlash(place), filepath.ToSlash(p.dir)+"/")
}

// check returns what holdfast check finds in one list.
func (p parity) check() []string {
	args := append([]string{"check", "-format=json", "-platforms=" + runtime.GOOS, "-config=none"}, p.flags...)
	var report struct {
		Errors   []string
		Findings []struct {
			Rule, Message, File              string
			Line, Column, EndLine, EndColumn int
			Related                          []struct {
				File, Message string
				Line, Column  int
			}
			Fixes []struct {
				Message string
				Edits   []struct {
					File       string
					Start, End int
					New        string
				}
			}
		}
	}
	if err := json.Unmarshal(p.run(p.tool, args...), &report); err != nil {
		p.t.Fatal(err)
	}
	if len(report.Errors) > 0 {
		p.t.Fatalf("could not judge: %q", report.Errors)
	}
	var all []string
	for _, f := range report.Findings {
		text := fmt.Sprintf("%s:%d:%d to %s:%d:%d: %s (%s)", f.File, f.Line, f.Column, f.File, f.EndLine, f.EndColumn, f.Message, f.Rule)
		for _, r := range f.Related {
			text += fmt.Sprintf("\n\t%s:%d:%d: %s", r.File, r.Line, r.Column, r.Message)
		}
		for _, fix := range f.Fixes {
			text += "\n\tfix: " + fix.Message
			for _, e := range fix.Edits {
				text += fmt.Sprintf("\n\t\t%s %d-%d %q", e.File, e.Start, e.End, e.New)
			}
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// inProcess returns what the analyzers find in this process, in the packages
// that go vet looked at.
func (p parity) inProcess(testdata string, vetted findings) findings {
	list := analyzers.New().All()
	for _, a := range list {
		for _, option := range p.flags {
			name, value, _ := strings.Cut(strings.TrimPrefix(option, "-"), "=")
			if own, ok := strings.CutPrefix(name, a.Name+"."); ok {
				if err := a.Flags.Set(own, cmp.Or(value, "true")); err != nil {
					p.t.Fatal(err)
				}
			}
		}
	}
	tests := slices.Contains(p.flags, "-loopblock.tests")
	all := make(findings)
	for _, action := range cases.Analyze(p.t, testdata, p.dir, list).Roots {
		pkg := action.Package
		if action.Err != nil {
			p.t.Fatal(action.Err)
		}
		// go vet looks at a package with its tests if there are any and they are wanted.
		plain := pkg.ID == pkg.PkgPath
		if vetted[pkg.PkgPath] == nil || !tests && !plain {
			continue
		}
		if all[pkg.PkgPath] == nil {
			all[pkg.PkgPath] = make(map[string][]string)
		}
		if tests && plain && all[pkg.PkgPath][action.Analyzer.Name] != nil {
			continue
		}
		var spelt []string
		for _, d := range action.Diagnostics {
			spelt = append(spelt, p.spell(convert(pkg.Fset, d)))
		}
		all[pkg.PkgPath][action.Analyzer.Name] = spelt
	}
	return all
}

// convert gives a diagnostic the form of go vet -json.
func convert(fset *token.FileSet, d analysis.Diagnostic) diagnostic {
	at := func(pos token.Pos) string { return fset.PositionFor(pos, false).String() }
	out := diagnostic{Category: d.Category, Posn: at(d.Pos), End: at(cmp.Or(d.End, d.Pos)), Message: d.Message}
	for _, r := range d.Related {
		out.Related = append(out.Related, struct {
			Posn    string `json:"posn"`
			Message string `json:"message"`
		}{at(r.Pos), r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		var edits []edit
		for _, e := range fix.TextEdits {
			file := fset.File(e.Pos)
			edits = append(edits, edit{file.Name(), file.Offset(e.Pos), file.Offset(cmp.Or(e.End, e.Pos)), string(e.NewText)})
		}
		slices.SortStableFunc(edits, func(a, b edit) int {
			return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		out.Fixes = append(out.Fixes, struct {
			Message string `json:"message"`
			Edits   []edit `json:"edits"`
		}{fix.Message, edits})
	}
	return out
}

// run returns what a program prints; that it found something is no failure.
func (p parity) run(name string, args ...string) []byte {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		p.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out
}

// cache returns the user's build cache, where only the cases are new, or an
// empty one.
func (p parity) cache(cold bool) string {
	if cold {
		return p.t.TempDir()
	}
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func buildTool(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "holdfast")
	out, err := exec.Command("go", "build", "-o", tool, "github.com/holdfast-go/holdfast/cmd/holdfast").CombinedOutput()
	if err != nil {
		t.Fatalf("building holdfast: %v\n%s", err, out)
	}
	return tool
}
