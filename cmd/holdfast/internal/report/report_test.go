package report

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The sources of the golden reports. "«" and "»" enclose findings.
var fixture = map[string]string{
	"proc/unix.go": "package proc\n\n" +
		"func attrs() *syscall.SysProcAttr {\n" +
		"\treturn «&syscall.SysProcAttr{Setsid: true}»\n" +
		"}\n",
	"app/main.go": "package app\n\n" +
		"func a() { «attrs()» }\n" +
		"func b() { «attrs()» }\n" +
		"func c() { «attrs()» }\n" +
		"func d() { «attrs()» }\n" +
		"func e() { «attrs()» }\n",
	// CRLF, a tab, Chinese and an emoji before the finding and in it.
	"app/wide 字.go": "package app\r\n\r\n" +
		"func wide() {\r\n" +
		"\tlog(\"守护🚀\"); «exec.Command(\"setsid\", \"进程🚀\")».Start()\r\n" +
		"\t«exec.Command(\r\n\t\t\"nohup\",\r\n\t)».Start()\r\n" +
		"}\r\n",
	"app/loop.go": "package app\n\nfunc serve() {\n\t«for» {\n\t}\n}\n",
	"app/old.go":  "package app\n\nfunc old() { «p.Release()» }\n",
}

// golden returns the report that the golden files show, over fixture sources.
func golden(t *testing.T) (*Report, Options) {
	t.Helper()
	root := t.TempDir()
	places := make(map[string][]finding.Finding)
	for name, marked := range fixture {
		places[name] = mark(t, filepath.Join(root, filepath.FromSlash(name)), marked)
	}
	source := place(places, "proc/unix.go", 0, "Setsid: true starts the child in a session of its own")
	var all []*finding.Finding
	for i := range places["app/main.go"] {
		use := place(places, "app/main.go", i, "attrs starts the child in a session of its own: attrs (proc/unix.go:3)")
		use.Related = []finding.Related{
			{File: source.File, Line: 3, Col: 6, Message: "attrs"},
			{File: source.File, Line: source.Line, Col: source.Col, Message: "Setsid: true"},
		}
		all = append(all, use)
	}
	wide := place(places, "app/wide 字.go", 0, "setsid puts its argument 100% out of reach,\nsays \"|\" <b>")
	wide.Platforms = []string{"darwin", "linux"}
	wide.Fixes = []finding.Fix{{Message: "start it with owned.Start", Edits: []finding.Edit{{File: wide.File, Start: 31, End: 34, New: "owned"}}}}
	long := place(places, "app/wide 字.go", 1, "nohup keeps the child alive")
	printf := place(places, "app/old.go", 0, "result of Release is not used")
	printf.Category = "unusedresult"
	old := place(places, "app/old.go", 0, "Release gives the child up")
	all = append(all, old, long, wide, source, printf)
	advice := place(places, "app/loop.go", 0, "this looks like an event loop and waits on net")
	advice.Category = "loop-advice"
	advice.Related = []finding.Related{{File: advice.File, Line: 4, Col: 2, Message: "for"}}
	ratchet.Identify([]*finding.Finding{advice})
	ratchet.Identify(all)

	entry := func(symbol string, line int) ratchet.Entry {
		return ratchet.Entry{Key: ratchet.Key{Category: "detached-spawn", Package: "example.com/app", Symbol: symbol, Expr: "p.Release()", K: 1},
			Reason: "the updater must outlive it", Line: line}
	}
	kept := all[:0:0]
	for _, f := range all {
		if f != old {
			kept = append(kept, f)
		}
	}
	return &Report{
			New:       kept,
			Advice:    []*finding.Finding{advice},
			Accepted:  []ratchet.Accepted{{Finding: old, Entry: entry("old", 1)}},
			Stale:     []ratchet.Stale{{Entry: entry("gone", 2)}, {Entry: entry("renamed", 3), Moved: long}},
			Grown:     []ratchet.Entry{entry("old", 1)},
			Baseline:  []ratchet.Entry{entry("old", 1), entry("gone", 2), entry("renamed", 3)},
			Base:      &Base{Revision: "origin/main", Entries: 2},
			Errors:    []string{"example.com/broken: undefined: x"},
			Platforms: []string{"linux", "darwin", "windows"},
			Packages:  2,
			LeftOut:   []string{"example.com/tools"},
		}, Options{
			Dir:          filepath.Join(root, "app"),
			Root:         root,
			BaselineFile: filepath.Join(root, "baseline", "holdfast.baseline"),
			Version:      "v0.1.0",
		}
}

// mark writes a source without «» and returns findings for what they enclose.
func mark(t *testing.T, path, marked string) []finding.Finding {
	t.Helper()
	var found []finding.Finding
	text := ""
	for i, part := range strings.FieldsFunc(marked, func(r rune) bool { return r == '«' || r == '»' }) {
		f := finding.Finding{Category: "detached-spawn", Package: "example.com/" + filepath.Base(filepath.Dir(path)), File: path}
		f.Line, f.Col = lineCol(text)
		text += part
		f.EndLine, f.EndCol = lineCol(text)
		if i%2 == 1 {
			found = append(found, f)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return found
}

func lineCol(text string) (line, col int) {
	return strings.Count(text, "\n") + 1, len(text) - strings.LastIndex(text, "\n")
}

// place returns a copy of a marked finding with its message.
func place(places map[string][]finding.Finding, file string, i int, message string) *finding.Finding {
	f := places[file][i]
	f.Message = message
	return &f
}

// written returns a report as a string, with ROOT for the root.
func written(t *testing.T, format Format, r *Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(b.String(), strings.ReplaceAll(o.Root, `\`, `\\`), "ROOT") // in JSON on Windows
	return strings.ReplaceAll(text, o.Root, "ROOT")
}

// withoutPages replaces what a SARIF report quotes of the rules' pages, so that
// a better page does not make the golden file wrong.
func withoutPages(t *testing.T, text string) string {
	t.Helper()
	for _, rule := range rules.All() {
		for name, quote := range map[string]string{"page": rule.Markdown, "text": rule.Text, "beginning": firstParagraph(rule.Text)} {
			var b bytes.Buffer
			if err := encode(&b, quote); err != nil {
				t.Fatal(err)
			}
			text = strings.ReplaceAll(text, strings.TrimSuffix(b.String(), "\n"), fmt.Sprintf("%q", "the "+name+" of "+rule.ID))
		}
	}
	return text
}

// check compares text with a golden file.
func check(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if withSlashes(text) != withSlashes(strings.ReplaceAll(string(want), "\r\n", "\n")) {
		t.Errorf("%s differs (-update writes it anew); got:\n%s", path, text)
	}
}

// withSlashes makes paths of Windows look like those in the golden files.
func withSlashes(text string) string {
	if runtime.GOOS != "windows" {
		return text
	}
	return strings.NewReplacer(`\\`, "/", `\`, "/").Replace(text)
}

func TestGoldenReports(t *testing.T) {
	for _, format := range []Format{Text, JSON, SARIF, GitHub, Checkstyle} {
		t.Run(string(format), func(t *testing.T) {
			r, o := golden(t)
			check(t, string(format), withoutPages(t, written(t, format, r, o)))
		})
	}
	t.Run("verbose", func(t *testing.T) {
		r, o := golden(t)
		o.Verbose = true
		check(t, "verbose", written(t, Text, r, o))
	})
	t.Run("summary", func(t *testing.T) {
		r, o := golden(t)
		o.StepSummary = filepath.Join(t.TempDir(), "summary.md")
		written(t, GitHub, r, o)
		text, err := os.ReadFile(o.StepSummary)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "summary.md", string(text))
	})
}

func TestReportsDoNotDependOnTheOrderOfFindings(t *testing.T) {
	r, o := golden(t)
	for _, format := range []Format{Text, JSON, SARIF, GitHub, Checkstyle} {
		want := written(t, format, r, o)
		reversed := *r
		reversed.New = nil
		for _, f := range r.New {
			reversed.New = append([]*finding.Finding{f}, reversed.New...)
		}
		if got := written(t, format, &reversed, o); got != want {
			t.Errorf("%s of the reversed findings:\n%s\nwant\n%s", format, got, want)
		}
	}
}

func TestCheckstyleIsXML(t *testing.T) {
	r, o := golden(t)
	r.New[0].Message = "a \x00 \"<&>\" b"
	var read checkstyleReport
	if err := xml.Unmarshal([]byte(written(t, Checkstyle, r, o)), &read); err != nil {
		t.Fatal(err)
	}
	if got, want := read.Files[0].Errors[0].Message, "a \uFFFD \"<&>\" b"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestExplainEndsWithThePagesOfTheRulesThatWereBroken(t *testing.T) {
	r, o := golden(t)
	o.Explain = true
	r.Stale, r.Grown = nil, nil
	text := written(t, Text, r, o)
	if !strings.Contains(text, "detached-spawn: a child is put out of its owner's reach") || strings.Contains(text, "ratchet: the baseline") {
		t.Errorf("got\n%s", text)
	}
	if lines := strings.Split(strings.TrimSpace(text), "\n"); !strings.HasPrefix(lines[len(lines)-1], "holdfast: ") {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
}

func TestLastLineAndExit(t *testing.T) {
	platforms := []string{"linux", "darwin", "windows"}
	entry := func(pkg string) ratchet.Entry { return ratchet.Entry{Key: ratchet.Key{Package: pkg}} }
	one := []*finding.Finding{{}}
	tests := []struct {
		name   string
		report Report
		exit   int
		want   string
	}{
		{"clean", Report{Packages: 12}, 0,
			"holdfast: clean: 12 packages on linux, darwin, windows; ratchet: no exceptions"},
		{"clean with exceptions", Report{Packages: 1, Baseline: []ratchet.Entry{entry("a"), entry("a"), entry("b")}, Base: &Base{"main", 4}}, 0,
			"holdfast: clean: 1 package on linux, darwin, windows; ratchet: 3 accepted in 2 packages (4 at base)"},
		{"the last exception left", Report{Packages: 2, Base: &Base{"main", 1}}, 0,
			"holdfast: clean: 2 packages on linux, darwin, windows; ratchet: no exceptions (1 at base)"},
		{"a finding", Report{Packages: 2, New: one}, 1,
			"holdfast: 1 finding: 2 packages on linux, darwin, windows; ratchet: no exceptions"},
		{"a stale entry", Report{Packages: 2, Stale: make([]ratchet.Stale, 2)}, 1,
			"holdfast: 2 stale baseline entries: 2 packages on linux, darwin, windows; ratchet: no exceptions"},
		{"growth", Report{Packages: 2, Grown: make([]ratchet.Entry, 1)}, 1,
			"holdfast: 1 new baseline entry: 2 packages on linux, darwin, windows; ratchet: no exceptions"},
		{"an error", Report{Packages: 2, New: one, Errors: []string{"e"}}, 2,
			"holdfast: could not judge everything (1 error), 1 finding: 2 packages on linux, darwin, windows; ratchet: no exceptions"},
		{"advice alone", Report{Packages: 2, Advice: make([]*finding.Finding, 3)}, 0,
			"holdfast: clean: 2 packages on linux, darwin, windows; ratchet: no exceptions; advice: 3"},
		{"a module left out", Report{Packages: 2, LeftOut: []string{"example.com/tools"}}, 0,
			"holdfast: clean: 2 packages on linux, darwin, windows; ratchet: no exceptions; left out: example.com/tools"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.report.Platforms = platforms
			if got := test.report.LastLine(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if got := test.report.Exit(); got != test.exit {
				t.Errorf("exit %d, want %d", got, test.exit)
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	if format, err := ParseFormat("sarif"); err != nil || format != SARIF {
		t.Errorf("got %v, %v", format, err)
	}
	if _, err := ParseFormat("junit"); err == nil || !strings.Contains(err.Error(), "checkstyle") {
		t.Errorf("got %v", err)
	}
	if err := Write(&bytes.Buffer{}, "junit", &Report{}, Options{}); err == nil {
		t.Error("an unknown format is written")
	}
}

// manyUses returns n uses of a helper whose own line is accepted.
func manyUses(n int) []*finding.Finding {
	var uses []*finding.Finding
	for i := range n {
		uses = append(uses, &finding.Finding{
			Category: "detached-spawn", Message: "m", File: fmt.Sprintf("/m/a%03d.go", i), Line: 1, Col: 1,
			Related: []finding.Related{{File: "/m/h.go", Line: 2, Col: 3, Message: "Setsid: true"}},
		})
	}
	return uses
}

func TestTextShowsAHelperAsOneProblem(t *testing.T) {
	o := Options{Dir: "/m", Root: "/m"}
	text := written(t, Text, &Report{New: manyUses(148)}, o)
	want := "h.go:2:3: Setsid: true, which is accepted or outside of this run, has 148 uses (detached-spawn)\n" +
		"    a000.go:1:1: m\n    a001.go:1:1: m\n    a002.go:1:1: m\n    … and 145 more uses (-v lists all)\n"
	if !strings.HasPrefix(text, want) || strings.Count(text, "\n") != 6 {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	o.Verbose = true
	if text := written(t, Text, &Report{New: manyUses(148)}, o); strings.Count(text, " m (detached-spawn)\n\th.go:2:3: Setsid: true\n") != 148 {
		t.Errorf("-v does not list every use:\n%s", text)
	}
	if text := written(t, Text, &Report{New: manyUses(1)}, Options{Dir: "/m", Root: "/m"}); !strings.HasPrefix(text, "a000.go:1:1: m (detached-spawn)\n") {
		t.Errorf("one use alone:\n%s", text)
	}
}
