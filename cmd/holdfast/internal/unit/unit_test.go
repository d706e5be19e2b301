package unit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// reportAnalyzer reports every package that it sees.
var reportAnalyzer = &analysis.Analyzer{
	Name: "report",
	Doc:  "report every package",
	Run: func(pass *analysis.Pass) (any, error) {
		pass.Reportf(pass.Files[0].Package, "seen")
		return nil, nil
	},
	FactTypes: []analysis.Fact{new(noteFact)},
}

// A unitTest writes a unit to disk and runs the tool on it.
type unitTest struct {
	cfg   config
	rules []Rule
	args  []string
}

func (u unitTest) run(t *testing.T) (code int, stdout, stderr string, facts []byte) {
	t.Helper()
	dir := t.TempDir()
	u.cfg.VetxOutput = filepath.Join(dir, "vet.out")
	data, err := json.Marshal(u.cfg)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "vet.cfg")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	code = Tool{Rules: u.rules}.Main(append(u.args, name), &out, &errOut)
	facts, err = os.ReadFile(u.cfg.VetxOutput)
	if err != nil && code == 0 {
		t.Errorf("no facts file: %v", err)
	}
	return code, out.String(), errOut.String(), facts
}

func source(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.go")
	writeFile(t, name, []byte(text))
	return name
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestStandardLibraryIsNotEvenRead(t *testing.T) {
	t.Setenv("GOROOT", "/go")
	cfg := config{ID: "fmt", ImportPath: "fmt", Dir: "/go/src/fmt", GoFiles: []string{"/go/src/fmt/gone.go"}, VetxOnly: true}
	code, stdout, stderr, facts := unitTest{cfg: cfg, rules: []Rule{{Analyzer: reportAnalyzer}}, args: []string{"-json"}}.run(t)
	if code != 0 || stdout != "" || stderr != "" || len(facts) != 0 {
		t.Errorf("code %d, stdout %q, stderr %q, %d bytes of facts", code, stdout, stderr, len(facts))
	}
	// A suite that wants facts about the library gets them.
	if code, _, _, _ := (unitTest{cfg: cfg, rules: []Rule{{Analyzer: reportAnalyzer, Standard: true}}}).run(t); code == 0 {
		t.Error("the library was skipped")
	}
}

func TestIrrelevantPackagesAreCleanAndPassFactsOn(t *testing.T) {
	var seen *Source
	rule := Rule{Analyzer: reportAnalyzer, Relevant: func(s *Source) bool { seen = s; return false }}
	dependency := filepath.Join(t.TempDir(), "q.out")
	writeFile(t, dependency, encodeFacts(map[string][]byte{"q": []byte("about q")}))
	cfg := config{
		ID: "p", ImportPath: "p", Dir: t.TempDir(), ModulePath: "p", VetxOnly: true,
		GoFiles:     []string{source(t, "package p\n\nimport \"q\"\n\nvar _ = q.V")},
		PackageVetx: map[string]string{"q": dependency},
	}
	code, stdout, _, facts := unitTest{cfg: cfg, rules: []Rule{rule}, args: []string{"-json"}}.run(t)
	if code != 0 || strings.Join(strings.Fields(stdout), "") != `{"p":{}}` {
		t.Errorf("code %d, stdout %q", code, stdout)
	}
	if got, _ := decodeFactFile(facts); string(got.facts["q"]) != "about q" {
		t.Errorf("passed on %q", got.facts)
	}
	if seen == nil || len(seen.Files) != 1 || len(seen.Files[0].Imports) != 1 || seen.Files[0].Imports[0] != "q" ||
		len(seen.FactPackages) != 1 || seen.FactPackages[0] != "q" {
		t.Errorf("the rule was shown %+v", seen)
	}
}

func TestTestFilesAreLeftOutUnlessARuleWantsThem(t *testing.T) {
	dir := t.TempDir()
	test := filepath.Join(dir, "p_test.go")
	if err := os.WriteFile(test, []byte("package p_test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config{ID: "p_test", ImportPath: "p_test", Dir: dir, GoFiles: []string{test}}
	without := Rule{Analyzer: reportAnalyzer, Tests: func() bool { return false }}
	_, stdout, _, _ := unitTest{cfg: cfg, rules: []Rule{without}, args: []string{"-json"}}.run(t)
	if strings.Contains(stdout, "seen") || !strings.Contains(stdout, "p_test") {
		t.Errorf("without tests: %s", stdout)
	}
	_, stdout, _, _ = unitTest{cfg: cfg, rules: []Rule{without, {Analyzer: idleAnalyzer}}, args: []string{"-json"}}.run(t)
	if !strings.Contains(stdout, "seen") {
		t.Errorf("with tests: %s", stdout)
	}
}

var idleAnalyzer = &analysis.Analyzer{
	Name: "idle",
	Doc:  "do nothing",
	Run:  func(*analysis.Pass) (any, error) { return nil, nil },
}

func TestGoCommandWithoutExportDataIsToldApart(t *testing.T) {
	cfg := config{
		ID: "p", ImportPath: "p", GoFiles: []string{source(t, "package p\n\nimport _ \"fmt\"\n")},
		ImportMap: map[string]string{"fmt": "fmt"},
	}
	code, _, stderr, _ := unitTest{cfg: cfg, rules: []Rule{{Analyzer: reportAnalyzer}}}.run(t)
	if code != 1 || !strings.Contains(stderr, "no export data") || !strings.Contains(stderr, "version of Go") {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
}

func TestSelectionOfAnalyzers(t *testing.T) {
	rules := []Rule{
		{Analyzer: &analysis.Analyzer{Name: "one"}},
		{Analyzer: &analysis.Analyzer{Name: "two"}},
		{Analyzer: &analysis.Analyzer{Name: "three"}, Set: "more"},
	}
	tests := []struct{ args, want string }{
		{"", "one two"},
		{"-one", "one"},
		{"-one=false", "two"},
		{"-with=more", "one two three"},
		{"-with=more -three=false", "one two"},
		{"-three", "three"},
		{"-one -two=false", "one"},
	}
	for _, test := range tests {
		flags, err := parseFlags(strings.Fields(test.args), rules, os.Stderr)
		if err != nil {
			t.Errorf("%s: %v", test.args, err)
			continue
		}
		var got []string
		for _, rule := range flags.enabled {
			got = append(got, rule.Analyzer.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q selects %q, want %q", test.args, got, test.want)
		}
	}
	if _, err := parseFlags([]string{"-with=other"}, rules, os.Stderr); err == nil {
		t.Error("an unknown set was accepted")
	}
}

// adviceAnalyzer says one thing of each category about every package.
var adviceAnalyzer = &analysis.Analyzer{
	Name: "adviser",
	Doc:  "advise every package",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, category := range []string{"fault", "hint"} {
			pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: category, Message: "a " + category})
		}
		return nil, nil
	},
}

// Of what stands in the JSON the go command makes a failure.
func TestAdviceFailsNothing(t *testing.T) {
	tests := []struct {
		args, advice   string
		code           int
		stdout, stderr string // all there is of "fault" and "hint"
	}{
		{"", "hint", 1, "", "fault hint"},
		{"", "fault", 1, "", "hint fault"},
		{"-json", "hint", 0, "fault", "hint"},
		{"-json", "", 0, "fault hint", ""},
		{"-json -advice", "hint", 0, "fault hint", ""},
	}
	words := func(text string) string {
		messages := regexp.MustCompile(`a (fault|hint)`).FindAllString(text, -1)
		return strings.ReplaceAll(strings.Join(messages, " "), "a ", "")
	}
	for _, test := range tests {
		cfg := config{ID: "p", ImportPath: "p", GoFiles: []string{source(t, "package p\n")}}
		rule := Rule{Analyzer: adviceAnalyzer, Advice: strings.Fields(test.advice)}
		code, stdout, stderr, _ := unitTest{cfg: cfg, rules: []Rule{rule}, args: strings.Fields(test.args)}.run(t)
		if code != test.code || words(stdout) != test.stdout || words(stderr) != test.stderr {
			t.Errorf("%q with advice %q: code %d, stdout %s, stderr %s", test.args, test.advice, code, stdout, stderr)
		}
	}
	onlyHints := &analysis.Analyzer{Name: "hints", Run: func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: "hint", Message: "a hint"})
		return nil, nil
	}}
	cfg := config{ID: "p", ImportPath: "p", GoFiles: []string{source(t, "package p\n")}}
	if code, _, stderr, _ := (unitTest{cfg: cfg, rules: []Rule{{Analyzer: onlyHints, Advice: []string{"hint"}}}}).run(t); code != 0 || words(stderr) != "hint" {
		t.Errorf("advice alone: code %d, stderr %s", code, stderr)
	}
}
