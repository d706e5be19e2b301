package frameworks

import (
	"os"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/realmodules"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// unserved are paths whose modules the proxy refuses to serve, or that are
// older than their module: their names were read on the web.
var unserved = map[string]bool{
	holdfastPath:                                   true,
	"github.com/gotk3/gotk3/glib":                  true,
	"github.com/diamondburned/gotk4/pkg/core/glib": true,
	"github.com/diamondburned/gotk4/pkg/glib/v2":   true,
	"github.com/wailsapp/wails/v3/pkg/application": true,
	"github.com/hajimehoshi/ebiten":                true,
	"github.com/jesseduffield/lazygit/pkg/gocui":   true,
	"github.com/Mzack9999/goja_nodejs/eventloop":   true,
	"go.etcd.io/etcd/raft":                         true,
	"github.com/coreos/etcd/raft":                  true,
}

// TestRealModules checks that every symbol of a family is declared in one of
// its packages, and that every package exists, at the versions in
// testdata/realmodules. Modules that are not in the module cache are looked at
// with HOLDFAST_E2E=1 only.
func TestRealModules(t *testing.T) {
	modules := realmodules.Pinned(t, "testdata/realmodules/go.mod")
	for _, module := range modules.Missing() {
		t.Logf("not looked at: %s %s: %s", module.Path, module.Version, module.Error)
	}
	looked := 0
	for _, f := range families() {
		packages, complete := sources(t, modules, f)
		if !complete {
			continue
		}
		looked++
		for _, name := range f.names() {
			if !anyOf(packages, func(p *realmodules.Package) bool { return p.Declares(name) }) {
				t.Errorf("%s: none declares %s", strings.Join(f.paths, ", "), name)
			}
		}
		for _, name := range symbols.Expand(f.methods) {
			if !anyOf(packages, func(p *realmodules.Package) bool { return p.HasMember(name) }) {
				t.Errorf("%s: none has %s", strings.Join(f.paths, ", "), name)
			}
		}
	}
	t.Logf("looked at %d families", looked)
	if os.Getenv("HOLDFAST_E2E") == "1" && looked < 30 {
		t.Errorf("looked at %d families only", looked)
	}
}

// sources returns the packages of a family; complete reports whether no source
// is missing that could have a name.
func sources(t *testing.T, modules *realmodules.Modules, f family) (packages []*realmodules.Package, complete bool) {
	t.Helper()
	for _, path := range f.paths {
		if unserved[path] {
			continue
		}
		plain := symbols.Path(path)
		found, err := modules.Packages(t, plain)
		if err != nil {
			t.Error(err)
			continue
		}
		if !modules.Has(plain) {
			return nil, false
		}
		if len(found) == 0 {
			t.Errorf("no version of its module has the package %s", path)
		}
		packages = append(packages, found...)
	}
	return packages, len(packages) > 0
}

// names returns the symbols that a package of the family must declare itself.
func (f family) names() []string {
	var names []string
	for _, list := range []string{
		f.callbacks, f.offLoop, f.fields, f.offFields, f.types, f.offTypes,
		f.receive, f.receiveFields, f.selfWaits, f.unordered,
	} {
		for _, name := range symbols.Expand(list) {
			name, _, _ = strings.Cut(name, ":")
			names = append(names, name)
		}
	}
	return names
}

func anyOf(packages []*realmodules.Package, holds func(*realmodules.Package) bool) bool {
	for _, p := range packages {
		if holds(p) {
			return true
		}
	}
	return false
}
