package roots

import (
	"os"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/realmodules"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// TestRealModules checks that every symbol in the tables is declared in the
// standard library, or in the module that it is said to be in at a version in
// testdata/realmodules. Modules that are not in the module cache are looked at
// with HOLDFAST_E2E=1 only. One that the proxy refuses to serve is left out
// and named.
func TestRealModules(t *testing.T) {
	modules := realmodules.Pinned(t, "testdata/realmodules/go.mod")
	for _, module := range modules.Missing() {
		t.Logf("not looked at: %s %s: %s", module.Path, module.Version, module.Error)
	}
	looked := 0
	for path, names := range listed() {
		packages, err := modules.Packages(t, path)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(packages) == 0 && modules.Has(path) {
			t.Errorf("no version of its module has the package %s", path)
		}
		if len(packages) == 0 || !modules.Has(path) {
			continue
		}
		looked++
		for _, name := range names {
			if !declaredIn(packages, name) {
				t.Errorf("%s declares no %s", path, name)
			}
		}
	}
	t.Logf("looked at %d packages", looked)
	if os.Getenv("HOLDFAST_E2E") == "1" && looked < 100 {
		t.Errorf("looked at %d packages only", looked)
	}
}

func declaredIn(packages []*realmodules.Package, name string) bool {
	for _, p := range packages {
		if p.Declares(name) {
			return true
		}
	}
	return false
}

// listed returns every name of every table, by import path.
func listed() map[string][]string {
	all := make(map[string][]string)
	add := func(path, names string) { all[path] = append(all[path], symbols.Expand(names)...) }
	for _, lists := range append(listings, holderNames, variableNames, sourceNames) {
		for path, kinds := range lists {
			for _, names := range kinds {
				add(path, names)
			}
		}
	}
	for _, lists := range []map[string]string{nonBlockingNames, synchronousNames, elsewhereNames, onceNames, wrapperNames} {
		for path, names := range lists {
			add(path, names)
		}
	}
	for _, list := range conditionLists {
		for path, names := range list.names {
			add(path, names)
		}
	}
	return all
}
