package unit

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestStandardLibraryIsKnownByItsFolder(t *testing.T) {
	root := t.TempDir()
	std := filepath.Join(root, "src", "net", "http")
	tests := []struct {
		name   string
		goroot string
		cfg    config
		want   bool
	}{
		{"dependency", root, config{ImportPath: "net/http", Dir: std, VetxOnly: true}, true},
		{"asked for by name", root, config{ImportPath: "net/http", Dir: std}, false},
		{"module without a dot", root, config{ImportPath: "fx/p", Dir: "/home/fx/p", VetxOnly: true, ModulePath: "fx"}, false},
		{"module, go 1.27", root, config{ImportPath: "fx/p", Dir: "/home/fx/p", VetxOnly: true, Module: &analysis.Module{Path: "fx"}}, false},
		{"GOPATH package without a dot", root, config{ImportPath: "work/p", Dir: "/home/go/src/work/p", VetxOnly: true}, false},
		{"no GOROOT", "", config{ImportPath: "net/http", Dir: std, VetxOnly: true}, true},
		{"no GOROOT, dot", "", config{ImportPath: "example.com/p", Dir: "/x", VetxOnly: true}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("GOROOT", test.goroot)
			if got := test.cfg.isStandard(); got != test.want {
				t.Errorf("isStandard = %t, want %t", got, test.want)
			}
		})
	}
}

func TestWhichFactsOnlyUnitsAreReported(t *testing.T) {
	const external, own = "package p_test\n", "package p\n"
	tests := []struct {
		name    string
		module  analysis.Module
		files   map[string]string
		ignored string
		want    bool
	}{
		{"no tests", analysis.Module{Path: "m"}, nil, "", true},
		{"dependency", analysis.Module{Path: "m", Version: "v1.0.0"}, nil, "", false},
		{"own test: go vet reports the package with its tests", analysis.Module{Path: "m"}, map[string]string{"p_test.go": own}, "", false},
		{"external test", analysis.Module{Path: "m"}, map[string]string{"p_test.go": external}, "", true},
		{"own test that this build leaves out", analysis.Module{Path: "m"}, map[string]string{"p_windows_test.go": own}, "p_windows_test.go", true},
		{"file that go ignores", analysis.Module{Path: "m"}, map[string]string{"_p_test.go": own}, "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a[b]*") // means nothing in a pattern
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for name, content := range test.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cfg := &config{Dir: dir, Module: &test.module, VetxOnly: true}
			if test.ignored != "" {
				cfg.IgnoredFiles = []string{filepath.Join(dir, test.ignored)}
			}
			if got := cfg.isPromoted(); got != test.want {
				t.Errorf("isPromoted = %t, want %t", got, test.want)
			}
		})
	}
}

func TestBrokenConfigurationsAreErrors(t *testing.T) {
	for _, content := range []string{"", "{", "null", `{"ImportPath": "p"}`, `{"GoFiles": ["p.go"]}`} {
		name := filepath.Join(t.TempDir(), "vet.cfg")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if cfg, err := readConfig(name); err == nil {
			t.Errorf("%q read as %+v", content, cfg)
		}
	}
	if _, err := readConfig(filepath.Join(t.TempDir(), "none.cfg")); err == nil {
		t.Error("a file that does not exist was read")
	}
}
