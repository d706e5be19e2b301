package suite

import (
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// What these functions deny is passed over without being type-checked.
func TestWhichPackagesAreAnalysed(t *testing.T) {
	file := func(imports []string, text string) []unit.SourceFile {
		return []unit.SourceFile{{}, {Imports: imports, Content: []byte(text), Ignored: true}}
	}
	tests := []struct {
		name                  string
		source                unit.Source
		spawns, loops, marked bool
	}{
		{"nothing", unit.Source{Files: file([]string{"unsafe"}, "package p\n")}, false, false, false},
		{"a spawner in a file that the build ignores", unit.Source{Files: file([]string{"os/exec"}, "package p\n")}, true, false, false},
		{"blocking work", unit.Source{Files: []unit.SourceFile{{Imports: []string{"net"}}}}, false, true, false},
		{"a directive", unit.Source{Files: []unit.SourceFile{{Content: []byte("//holdfast:nonblocking\n")}}}, false, true, true},
		{"a helper somewhere below", unit.Source{Files: file(nil, "package p\n"), FactPackages: []string{"m/run"}}, true, true, false},
		{"a marker", unit.Source{Files: file(nil, "package p\n\n// detached-spawn: ok — reasons\n")}, false, false, true},
		{"a misspelt directive", unit.Source{Files: file(nil, "package p\n\n//holdfast:own\n")}, false, false, true},
	}
	for _, test := range tests {
		if got := mentionsSpawns(&test.source); got != test.spawns {
			t.Errorf("%s: for spawns %t, want %t", test.name, got, test.spawns)
		}
		if got := mentionsLoops(&test.source); got != test.loops {
			t.Errorf("%s: for loops %t, want %t", test.name, got, test.loops)
		}
		if got := mentionsMarkers(&test.source); got != test.marked {
			t.Errorf("%s: for markers %t, want %t", test.name, got, test.marked)
		}
	}
}

func TestTestsAreWantedOnlyByFlag(t *testing.T) {
	for _, rule := range Rules() {
		if rule.Tests() {
			t.Errorf("%s wants tests by default", rule.Analyzer.Name)
		}
		if err := rule.Analyzer.Flags.Set("tests", "true"); err != nil {
			t.Fatal(err)
		}
		if !rule.Tests() {
			t.Errorf("%s does not want tests though its flag is set", rule.Analyzer.Name)
		}
	}
}
