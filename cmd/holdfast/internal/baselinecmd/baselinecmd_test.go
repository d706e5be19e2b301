package baselinecmd

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

const reason = "the daemon must outlive the client"

// A project is a module on disk with a command to run in it. Every "spawn()" in
// its a.go is a finding.
type project struct {
	t              *testing.T
	dir            string
	stdout, stderr bytes.Buffer
	judge          Judge
	patterns       []string // of the last run
}

func newProject(t *testing.T, source string) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, dir: dir}
	p.write("go.mod", "module example.com/p\n\ngo 1.26\n")
	p.write("a.go", source)
	p.judge = func(context.Context, string, []string) (Judged, error) {
		return Judged{p.findings(), ratchet.Scope{Whole: true}}, nil
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) findings() []*finding.Finding {
	path := filepath.Join(p.dir, "a.go")
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	var found []*finding.Finding
	for i, line := range strings.Split(string(text), "\n") {
		for col := 0; ; col++ {
			at := strings.Index(line[col:], "spawn()")
			if at < 0 {
				break
			}
			col += at
			found = append(found, &finding.Finding{
				Category: "detached-spawn", Message: "spawn detaches", Package: "example.com/p", File: path,
				Line: i + 1, Col: col + 1, EndLine: i + 1, EndCol: col + 1 + len("spawn()"),
			})
		}
	}
	return found
}

// run runs the command and returns its exit code.
func (p *project) run(args ...string) int {
	p.t.Helper()
	p.stdout.Reset()
	p.stderr.Reset()
	command := Command{
		Dir:   p.dir,
		Flags: func(flags *flag.FlagSet) { flags.String("platforms", "linux", "") },
		Judge: func(ctx context.Context, dir string, patterns []string) (Judged, error) {
			p.patterns = append([]string{dir}, patterns...)
			return p.judge(ctx, dir, patterns)
		},
	}
	return command.Run(p.t.Context(), args, &p.stdout, &p.stderr)
}

// want fails the test unless the command exits with code and says text.
func (p *project) want(code int, text string, args ...string) {
	p.t.Helper()
	got := p.run(args...)
	if output := p.stdout.String() + p.stderr.String(); got != code || !strings.Contains(output, text) {
		p.t.Errorf("%q: exit %d, want %d with %q:\n%s", args, got, code, text, output)
	}
}

// baseline returns the text of the default baseline, or "absent".
func (p *project) baseline() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, ratchet.DefaultFile))
	if errors.Is(err, os.ErrNotExist) {
		return "absent"
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

const (
	one    = "package p\n\nfunc start() {\n\tspawn()\n}\n"
	twice  = "package p\n\nfunc start() {\n\tspawn(); spawn()\n}\n"
	none   = "package p\n\nfunc start() {}\n"
	first  = "detached-spawn example.com/p start `spawn()` #1 — " + reason + "\n"
	second = "detached-spawn example.com/p start `spawn()` #2 — " + reason + "\n"
)

func TestAddAcceptsOneFinding(t *testing.T) {
	p := newProject(t, one)
	p.want(0, first, "add", "-reason", reason, "a.go:4")
	if got := p.baseline(); got != first {
		t.Errorf("baseline %q", got)
	}
	if len(p.patterns) != 2 || p.patterns[0] != p.dir || p.patterns[1] != "." {
		t.Errorf("judged %q, want the file's package", p.patterns)
	}
	p.want(0, "accepted already, by line 1", "add", "-reason", reason, "a.go:4")
	if got := p.baseline(); got != first {
		t.Errorf("baseline %q after a repetition", got)
	}
}

func TestAddTakesFlagsBehindThePlace(t *testing.T) {
	p := newProject(t, one)
	p.want(0, first, "add", filepath.Join(p.dir, "a.go")+":4:2", "-platforms=linux", "--reason", reason)
}

func TestAddTellsEqualFindingsOfALineApart(t *testing.T) {
	p := newProject(t, twice)
	p.want(2, "2 findings stand there", "add", "-reason", reason, "a.go:4")
	p.want(0, second, "add", "-reason", reason, "a.go:4:11")
	p.want(0, first, "add", "-reason", reason, "a.go:4")
	if got := p.baseline(); got != first+second {
		t.Errorf("baseline %q", got)
	}
}

func TestAddRefusesWhatItCannotJudge(t *testing.T) {
	p := newProject(t, one)
	tests := []struct {
		name, want string
		args       []string
	}{
		{"no place", "name one place", []string{"-reason", reason}},
		{"two places", "name one place", []string{"-reason", reason, "a.go:4", "a.go:5"}},
		{"no line", "is not a place", []string{"-reason", reason, "a.go"}},
		{"no such file", "b.go:4", []string{"-reason", reason, "b.go:4"}},
		{"no reason", "has no reason", []string{"a.go:4"}},
		{"empty reason", "say why", []string{"-reason", "todo", "a.go:4"}},
		{"no finding on the line", "a.go:4:2: spawn detaches", []string{"-reason", reason, "a.go:3"}},
		{"no finding of the rule", "no such finding", []string{"-reason", reason, "-rule", "loop-block", "a.go:4"}},
		{"unknown flag", "not defined: -all", []string{"-all", "a.go:4"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p.want(2, test.want, append([]string{"add"}, test.args...)...)
			if got := p.baseline(); got != "absent" {
				t.Errorf("baseline %q", got)
			}
		})
	}
}

func TestPruneOnlyDeletes(t *testing.T) {
	p := newProject(t, one)
	p.write(ratchet.DefaultFile, second+first+"detached-spawn example.com/p stop `spawn()` #1 — "+reason+"\n")
	p.want(0, "deleted 2 of 3 entries", "prune")
	if got := p.baseline(); got != first {
		t.Errorf("baseline %q, want the entry that matches", got)
	}
	if len(p.patterns) != 2 || p.patterns[0] != p.dir || p.patterns[1] != "./..." {
		t.Errorf("judged %q, want the whole module", p.patterns)
	}
	p.write("a.go", twice)
	p.want(0, "deleted 0 of 1", "prune", "-platforms=linux")
	if got := p.baseline(); got != first {
		t.Errorf("baseline %q, want no new entry", got)
	}
	p.write("a.go", none)
	p.want(0, first, "prune")
	if got := p.baseline(); got != "absent" {
		t.Errorf("baseline %q, want none", got)
	}
	p.want(0, "nothing to prune", "prune")
}

func TestAPartialRunPrunesOnlyWhatItJudged(t *testing.T) {
	p := newProject(t, none)
	other := strings.ReplaceAll(first, "example.com/p", "example.com/other")
	p.write(ratchet.DefaultFile, first+other)
	p.judge = func(context.Context, string, []string) (Judged, error) {
		return Judged{nil, ratchet.Scope{Packages: map[string]bool{"example.com/p": true}}}, nil
	}
	p.want(0, "deleted 1 of 2", "prune", ".")
	if got := p.baseline(); got != other {
		t.Errorf("baseline %q, want the other package's entry", got)
	}
}

func TestNothingChangesIfTheRunFails(t *testing.T) {
	p := newProject(t, none)
	p.write(ratchet.DefaultFile, first)
	p.judge = func(context.Context, string, []string) (Judged, error) {
		return Judged{}, errors.New("example.com/p does not type-check")
	}
	p.want(2, "nothing was pruned: example.com/p does not type-check", "prune")
	p.want(2, "nothing was added: example.com/p does not type-check", "add", "-reason", reason, "a.go:3")
	if got := p.baseline(); got != first {
		t.Errorf("baseline %q", got)
	}
}

func TestAnEditDuringTheRunIsKept(t *testing.T) {
	p := newProject(t, one)
	p.write(ratchet.DefaultFile, second)
	edited := strings.ReplaceAll(first, reason, "somebody wrote this meanwhile, by hand")
	judge := p.judge
	p.judge = func(ctx context.Context, dir string, patterns []string) (Judged, error) {
		p.write(ratchet.DefaultFile, edited+second)
		return judge(ctx, dir, patterns)
	}
	p.want(0, "deleted 1 of 2", "prune")
	if got := p.baseline(); got != edited {
		t.Errorf("baseline %q", got)
	}
}

func TestAnInvalidBaselineIsNamedAndLeftAlone(t *testing.T) {
	p := newProject(t, one)
	p.write(ratchet.DefaultFile, first+"prose\n")
	for _, args := range [][]string{{"list"}, {"prune"}, {"add", "-reason", reason, "a.go:4"}} {
		p.want(2, "holdfast.baseline:2: ", args...)
	}
	if got := p.baseline(); got != first+"prose\n" {
		t.Errorf("baseline %q", got)
	}
}

func TestListPrintsTheEntriesSorted(t *testing.T) {
	p := newProject(t, one)
	p.want(0, "no exceptions in", "list")
	p.write("elsewhere", second+first)
	p.want(0, first+second, "list", "-baseline", "elsewhere")
}

func TestUsage(t *testing.T) {
	p := newProject(t, one)
	p.want(2, "usage: holdfast baseline")
	p.want(2, `no command "regenerate"`, "regenerate")
	p.want(0, "usage: holdfast baseline", "help")
	p.want(0, "-platforms", "prune", "-h")
}
