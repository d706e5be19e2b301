package libs

import (
	"os"
	"slices"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/realmodules"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		protects        string
		pkg, recv, name string
		want            string
	}{
		{"function", "github.com/creack/pty", "", "Start", startsOnPTY},
		{"method", "github.com/sevlyar/go-daemon", "Context", "Reborn", startsSelf},
		{"major version", "github.com/creack/pty/v2", "", "Start", startsOnPTY},
		{"major version inside the path", "gopkg.in/hlandau/service.v3/daemon", "", "Daemonize", leavesSession},
		{"vendored", "example.org/app/vendor/github.com/creack/pty", "", "StartWithSize", startsOnPTY},
		{"another function", "github.com/creack/pty", "", "Open", ""},
		{"attributes are the caller's", "github.com/creack/pty", "", "StartWithAttrs", ""},
		{"another method", "github.com/sevlyar/go-daemon", "Context", "Search", ""},
		{"function with a method's name", "github.com/sevlyar/go-daemon", "", "Reborn", ""},
		{"method with a function's name", "github.com/creack/pty", "Winsize", "Start", ""},
		{"package in the same module", "github.com/creack/pty/examples", "", "Start", ""},
		{"path that only starts like a version", "github.com/creack/pty/v2ray", "", "Start", ""},
		{"standard library", "os/exec", "Cmd", "Start", ""},
		{"nothing", "", "", "", ""},
	} {
		t.Run(c.protects, func(t *testing.T) {
			entry, ok := Lookup(c.pkg, c.recv, c.name)
			if entry.What != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %t, want %q", entry.What, ok, c.want)
			}
		})
	}
}

// Paths in the table are looked up without a major version.
func TestTablePathsArePlain(t *testing.T) {
	for f := range table {
		if plain := plainPath(f.pkg); plain != f.pkg {
			t.Errorf("%s is never found: it is looked up as %s", f.pkg, plain)
		}
	}
}

// TestRealModules checks that every function in the table is declared in the
// module that it is said to be in, at the version in testdata/realmodules.
// Modules that are not in the module cache are looked at with HOLDFAST_E2E=1
// only. One that the proxy refuses to serve is left out and named.
func TestRealModules(t *testing.T) {
	modules := realmodules.Pinned(t, "testdata/realmodules/go.mod")
	for _, module := range modules.Missing() {
		t.Logf("not looked at: %s %s: %s", module.Path, module.Version, module.Error)
	}
	looked := 0
	for f := range table {
		packages, err := modules.Packages(t, f.pkg)
		if err != nil {
			t.Error(err)
			continue
		}
		if !modules.Has(f.pkg) {
			continue
		}
		looked++
		declares := func(p *realmodules.Package) bool { return p.Declares(f.symbol()) }
		if !slices.ContainsFunc(packages, declares) {
			t.Errorf("%s declares no %s", f.pkg, f.symbol())
		}
	}
	t.Logf("looked at %d functions of %d", looked, len(table))
	if looked == 0 && os.Getenv("HOLDFAST_E2E") == "1" {
		t.Error("no module could be downloaded")
	}
}

// symbol returns the function's name in its package: "Name" or "Type.Name".
func (f function) symbol() string {
	if f.recv == "" {
		return f.name
	}
	return f.recv + "." + f.name
}
