package roots

import (
	"slices"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A path with a major version would never be found.
func TestPathsArePlain(t *testing.T) {
	for path := range listed() {
		if plain := symbols.Path(path); plain != path {
			t.Errorf("%s is never found: it is looked up as %s", path, plain)
		}
	}
	for path := range opaque {
		if plain := symbols.Path(path); plain != path {
			t.Errorf("%s is never opaque: it is looked up as %s", path, plain)
		}
	}
}

// Were a symbol listed under two kinds, the order of a map would decide.
func TestEachSymbolHasOneKind(t *testing.T) {
	kinds := make(map[string]Kind)
	for _, l := range listings {
		for path, list := range l {
			for kind, names := range list {
				for _, name := range symbols.Expand(names) {
					symbol := path + "." + name
					if other, twice := kinds[symbol]; twice {
						t.Errorf("%s is listed as %q and as %q", symbol, other, kind)
					}
					kinds[symbol] = kind
				}
			}
		}
	}
	for _, list := range conditionLists {
		for path, names := range list.names {
			for _, name := range symbols.Expand(names) {
				symbol := path + "." + name
				if other, twice := kinds[symbol]; twice {
					t.Errorf("%s is listed as %q and under a condition", symbol, other)
				}
				kinds[symbol] = list.condition.root.Kind
			}
		}
	}
}

func TestListedKindsExist(t *testing.T) {
	for _, l := range append(listings, holderNames, variableNames, sourceNames) {
		for path, list := range l {
			for kind := range list {
				if kind != "" && !slices.Contains(Kinds(), kind) {
					t.Errorf("%s: no kind %q", path, kind)
				}
			}
		}
	}
	for _, kind := range Default() {
		if !slices.Contains(Kinds(), kind) {
			t.Errorf("the default kind %q is no kind", kind)
		}
	}
}

func TestOpaqueTakesInPackagesBelow(t *testing.T) {
	for path, want := range map[string]bool{
		"k8s.io/client-go/rest":              true,
		"github.com/jackc/pgx/v5/pgxpool":    true,
		"go.uber.org/zap":                    true,
		"go.uber.org/zapper":                 false,
		"github.com/hashicorp/raft":          false,
		"sigs.k8s.io/controller-runtime/pkg": false,
		"os":                                 false,
		"":                                   false,
	} {
		if got := Opaque(path); got != want {
			t.Errorf("Opaque(%q) = %t, want %t", path, got, want)
		}
	}
}
