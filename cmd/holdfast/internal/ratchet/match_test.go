package ratchet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// A module is a package's source files, by name. A line that holds "Setsid" or
// "Setpgid" is a finding, from its "&" to its "}".
type module map[string]string

// findings writes the module's files and returns what a run finds in them.
func (m module) findings(t *testing.T) []*finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var found []*finding.Finding
	for name, text := range m {
		path := filepath.Join(dir, name)
		write(t, path, text)
		for i, line := range strings.Split(text, "\n") {
			start, end := strings.Index(line, "&S{"), strings.Index(line, "}")
			if start < 0 {
				continue
			}
			found = append(found, &finding.Finding{
				Category: "detached-spawn", Package: "example.com/p", File: path,
				Line: i + 1, Col: start + 1, EndLine: i + 1, EndCol: end + 2,
			})
		}
	}
	finding.Sort(found)
	Identify(found)
	return found
}

// accepted returns a baseline that accepts all that a run finds in the module.
func (m module) accepted(t *testing.T) []Entry {
	t.Helper()
	var entries []Entry
	for _, f := range m.findings(t) {
		e, err := NewEntry(KeyOf(f), reason)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

var thisPackage = Scope{Packages: map[string]bool{"example.com/p": true}}

// outcome describes a result in one line: the new findings' lines, the stale keys.
func outcome(r Result) (fresh, stale []string) {
	for _, f := range r.New {
		fresh = append(fresh, f.Symbol+" "+f.Expr)
	}
	for _, s := range r.Stale {
		stale = append(stale, s.Entry.Symbol+" "+s.Entry.Expr)
	}
	return fresh, stale
}

func TestMatch(t *testing.T) {
	const (
		setsid  = "\tx = &S{Setsid: true}\n"
		setpgid = "\tx = &S{Setpgid: true}\n"
	)
	in := func(symbol, body string) string { return "package p\n\nfunc " + symbol + "() {\n" + body + "}\n" }
	tests := []struct {
		name         string
		before, now  module
		scope        Scope
		fresh, stale []string
	}{
		{
			name:   "unchanged",
			before: module{"a.go": in("start", setsid+setsid)}, now: module{"a.go": in("start", setsid+setsid)},
			scope: thisPackage,
		},
		{
			name:   "swap: one fixed, one of the same kind added elsewhere",
			before: module{"a.go": in("start", setsid)}, now: module{"a.go": in("restart", setsid)},
			scope: thisPackage,
			fresh: []string{"restart &S{Setsid: true}"}, stale: []string{"start &S{Setsid: true}"},
		},
		{
			name:   "swap in one function",
			before: module{"a.go": in("start", setsid)}, now: module{"a.go": in("start", setpgid)},
			scope: thisPackage,
			fresh: []string{"start &S{Setpgid: true}"}, stale: []string{"start &S{Setsid: true}"},
		},
		{
			name:   "third equal duplicate",
			before: module{"a.go": in("start", setsid+setsid)}, now: module{"a.go": in("start", setsid+setsid+setsid)},
			scope: thisPackage,
			fresh: []string{"start &S{Setsid: true}"},
		},
		{
			name:   "one of two duplicates fixed",
			before: module{"a.go": in("start", setsid+setsid)}, now: module{"a.go": in("start", setsid)},
			scope: thisPackage,
			stale: []string{"start &S{Setsid: true}"},
		},
		{
			name:   "moved line",
			before: module{"a.go": in("start", setsid)}, now: module{"a.go": in("start", "\n\n// why\n\ty = 1\n"+setsid)},
			scope: thisPackage,
		},
		{
			name:   "reformatted",
			before: module{"a.go": in("start", setsid)}, now: module{"a.go": in("start", "\t\tx =   &S{Setsid:   true}\n")},
			scope: thisPackage,
		},
		{
			name:   "moved file",
			before: module{"a.go": in("start", setsid)}, now: module{"proc_unix.go": in("start", setsid)},
			scope: thisPackage,
		},
		{
			name:   "stale in a partial run that left the package out",
			before: module{"a.go": in("start", setsid)}, now: module{},
			scope: Scope{Packages: map[string]bool{"example.com/other": true}},
		},
		{
			name:   "stale in a run of another rule",
			before: module{"a.go": in("start", setsid)}, now: module{},
			scope: Scope{Whole: true, Categories: map[string]bool{"loop-block": true}},
		},
		{
			name:   "stale in a run of its rule",
			before: module{"a.go": in("start", setsid)}, now: module{},
			scope: Scope{Whole: true, Categories: map[string]bool{"detached-spawn": true}},
			stale: []string{"start &S{Setsid: true}"},
		},
		{
			name:   "package deleted, seen by a run of everything",
			before: module{"a.go": in("start", setsid)}, now: module{},
			scope: Scope{Whole: true, Packages: map[string]bool{"example.com/other": true}},
			stale: []string{"start &S{Setsid: true}"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := Match(test.before.accepted(t), test.now.findings(t), test.scope)
			fresh, stale := outcome(result)
			if !slices.Equal(fresh, test.fresh) {
				t.Errorf("new %q, want %q", fresh, test.fresh)
			}
			if !slices.Equal(stale, test.stale) {
				t.Errorf("stale %q, want %q", stale, test.stale)
			}
		})
	}
}

func TestAnEntryAcceptsTheFindingOfItsRankFirst(t *testing.T) {
	two := module{"a.go": "package p\nfunc f() {\n\tx = &S{Setsid: true}\n\tx = &S{Setsid: true}\n}\n"}
	second := two.accepted(t)[1:]
	result := Match(second, two.findings(t), thisPackage)
	if len(result.New) != 1 || result.New[0].Line != 3 || len(result.Accepted) != 1 || result.Accepted[0].Finding.Line != 4 {
		t.Errorf("#2 accepts another one than the second: %+v", result)
	}
	// Once the first is repaired, the second is the first.
	one := module{"a.go": "package p\nfunc f() {\n\tx = &S{Setsid: true}\n}\n"}
	if result := Match(second, one.findings(t), thisPackage); len(result.New) != 0 || len(result.Stale) != 0 {
		t.Errorf("#2 does not accept what moved up: %+v", result)
	}
}

func TestAStaleEntryKnowsWhereARenamedFunctionWent(t *testing.T) {
	before := module{"a.go": "package p\nfunc start() {\n\tx = &S{Setsid: true}\n}\n"}
	after := module{"a.go": "package p\nfunc launch() {\n\tx = &S{Setsid: true}\n}\n"}
	result := Match(before.accepted(t), after.findings(t), thisPackage)
	if len(result.Stale) != 1 || result.Stale[0].Moved == nil || result.Stale[0].Moved.Symbol != "launch" {
		t.Errorf("no hint: %+v", result.Stale)
	}
	copied := module{"a.go": "package p\nfunc a() {\n\tx = &S{Setsid: true}\n}\nfunc b() {\n\tx = &S{Setsid: true}\n}\n"}
	result = Match(before.accepted(t), copied.findings(t), thisPackage)
	if len(result.Stale) != 1 || result.Stale[0].Moved != nil {
		t.Errorf("a guess between two: %+v", result.Stale)
	}
}

func TestMatchCanBeRepeatedFromTheFile(t *testing.T) {
	m := module{"a.go": "package p\nfunc (t *T) start() {\n\tx = &S{Setsid: true}\n}\n"}
	path := filepath.Join(t.TempDir(), "holdfast.baseline")
	if err := Save(path, m.accepted(t)); err != nil {
		t.Fatal(err)
	}
	entries, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if result := Match(entries, m.findings(t), thisPackage); len(result.New) != 0 || len(result.Accepted) != 1 {
		text, _ := os.ReadFile(path)
		t.Errorf("the saved entry does not match: %+v\n%s", result, text)
	}
}

func TestCompare(t *testing.T) {
	e := func(symbol, expr string, k int) Entry { return entry(t, "p", symbol, expr, k) }
	other := entry(t, "q", "f", "x", 1)
	tests := []struct {
		name           string
		base, head     []Entry
		grown, renamed []Entry
	}{
		{name: "equal", base: []Entry{e("f", "x", 1)}, head: []Entry{e("f", "x", 1)}},
		{name: "another reason", base: []Entry{e("f", "x", 1)}, head: []Entry{{Key: e("f", "x", 1).Key, Reason: "it has a better reason now"}}},
		{name: "shrunk", base: []Entry{e("f", "x", 1), e("f", "x", 2)}, head: []Entry{e("f", "x", 1)}},
		{name: "from nothing", head: []Entry{e("f", "x", 1)}, grown: []Entry{e("f", "x", 1)}},
		{name: "duplicate added", base: []Entry{e("f", "x", 1)}, head: []Entry{e("f", "x", 1), e("f", "x", 2)}, grown: []Entry{e("f", "x", 2)}},
		{name: "swap of expressions", base: []Entry{e("f", "x", 1)}, head: []Entry{e("f", "y", 1)}, grown: []Entry{e("f", "y", 1)}},
		{name: "moved to another package", base: []Entry{e("f", "x", 1)}, head: []Entry{other}, grown: []Entry{other}},
		{name: "renamed function", base: []Entry{e("f", "x", 1)}, head: []Entry{e("g", "x", 1)}, renamed: []Entry{e("g", "x", 1)}},
		{
			name: "renamed function with all its entries",
			base: []Entry{e("f", "x", 1), e("f", "x", 2), e("f", "y", 1)},
			head: []Entry{e("g", "x", 1), e("g", "x", 2), e("g", "y", 1)}, renamed: []Entry{e("g", "x", 1), e("g", "x", 2), e("g", "y", 1)},
		},
		{
			name: "renamed function that also grew",
			base: []Entry{e("f", "x", 1)}, head: []Entry{e("g", "x", 1), e("g", "x", 2)},
			grown: []Entry{e("g", "x", 1), e("g", "x", 2)},
		},
		{
			name: "one gone and one copied to two functions",
			base: []Entry{e("f", "x", 1)}, head: []Entry{e("g", "x", 1), e("h", "x", 1)},
			grown: []Entry{e("g", "x", 1), e("h", "x", 1)},
		},
		{
			name: "two functions traded for two others",
			base: []Entry{e("f", "x", 1), e("g", "x", 1)}, head: []Entry{e("h", "x", 1), e("i", "x", 1)},
			grown: []Entry{e("h", "x", 1), e("i", "x", 1)},
		},
		{name: "copied while the old one stays", base: []Entry{e("f", "x", 1)}, head: []Entry{e("f", "x", 1), e("g", "x", 1)}, grown: []Entry{e("g", "x", 1)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			growth := Compare(test.base, test.head)
			if !slices.Equal(growth.Grown, test.grown) {
				t.Errorf("grown %v, want %v", growth.Grown, test.grown)
			}
			var renamed []Entry
			for i, r := range growth.Renamed {
				renamed = append(renamed, r.To)
				if want := test.base[i]; r.From != want {
					t.Errorf("%v comes from %v, want %v", r.To, r.From, want)
				}
			}
			if !slices.Equal(renamed, test.renamed) {
				t.Errorf("renamed %v, want %v", renamed, test.renamed)
			}
		})
	}
}
