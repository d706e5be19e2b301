package roots

import (
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A listing lists symbols by import path and kind. The kind "" lists what a
// wildcard of the same package would wrongly take in.
type listing map[string]map[Kind]string

var listings = []listing{std, stdNet, system, databases, networks, waits}

var roots = sync.OnceValue(fill)

func fill() *symbols.Table[Root] {
	table := symbols.NewTable[Root]()
	for _, l := range listings {
		for path, kinds := range l {
			for kind, names := range kinds {
				table.Add(path, names, Root{Kind: kind})
			}
		}
	}
	for _, c := range clauses {
		table.Add(c.path, c.names, c.root)
	}
	return table
}

// clauses list roots once more that a message has a word about.
var clauses = []struct {
	path, names string
	root        Root
}{
	{"crypto/x509", "SystemCertPool", Root{Kind: Disk, Clause: "the first time"}},
}

// A table only says which symbols it lists.
type table = symbols.Table[struct{}]

func set(lists map[string]string) *table {
	t := symbols.NewTable[struct{}]()
	for path, names := range lists {
		t.Add(path, names, struct{}{})
	}
	return t
}
