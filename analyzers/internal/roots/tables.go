package roots

import (
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A listing lists symbols by import path and kind. The kind "" lists what a
// wildcard of the same package would wrongly take in.
type listing map[string]map[Kind]string

var listings = []listing{std, stdNet, system, databases, networks, waits}

var roots = sync.OnceValue(func() symbols.Table[Root] {
	table := make(symbols.Table[Root])
	for _, l := range listings {
		for path, kinds := range l {
			for kind, names := range kinds {
				table.Add(path, names, Root{Kind: kind})
			}
		}
	}
	for path, clauses := range clauses {
		for name, clause := range clauses {
			root, _ := table.Get(path, name)
			root.Clause = clause
			table.Add(path, name, root)
		}
	}
	return table
})

// clauses are words on single roots.
var clauses = map[string]map[string]string{
	"crypto/x509": {"SystemCertPool": "the first time"},
	"os/user":     {"Current": "the first time"},
}

// A table only says which symbols it lists.
type table = symbols.Table[struct{}]

func set(lists map[string]string) table {
	t := make(table)
	for path, names := range lists {
		t.Add(path, names, struct{}{})
	}
	return t
}
