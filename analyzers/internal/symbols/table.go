package symbols

import (
	"go/types"
	"strings"
	"sync"
)

// A Table says something of the symbols of packages. It reads the lists of a
// package when somebody first asks about it: a process of go vet asks about few.
// It is safe for concurrent use once it is filled.
type Table[V any] struct {
	lists map[string][]list[V]
	read  sync.Map // map[string]V by name, by import path; nil of packages that are not listed
}

// A list has names of one package that the table says the same of.
type list[V any] struct {
	names string
	value V
}

// NewTable returns an empty table.
func NewTable[V any]() *Table[V] {
	return &Table[V]{lists: make(map[string][]list[V])}
}

// Add lists names of the package, as [Expand] reads them. The last word on a
// name counts.
func (t *Table[V]) Add(path, names string, v V) {
	if names != "" {
		t.lists[path] = append(t.lists[path], list[V]{names, v})
	}
}

// Of returns what the table says of a function or method.
func (t *Table[V]) Of(fn *types.Func) (v V, ok bool) {
	if fn.Pkg() == nil {
		return v, false // error.Error
	}
	names := t.pkg(fn.Pkg().Path())
	if names == nil {
		return v, false // nearly every call: not worth a name
	}
	name := Name(fn)
	if v, ok := names[name]; ok {
		return v, true
	}
	if owner, _, isMethod := strings.Cut(name, "."); isMethod {
		if v, ok := names[owner+".*"]; ok {
			return v, true
		}
	}
	v, ok = names["*"]
	return v, ok
}

// Get returns what the table says of the named symbol of a package.
func (t *Table[V]) Get(path, name string) (V, bool) {
	v, ok := t.pkg(path)[name]
	return v, ok
}

// Has reports whether the table lists anything of the package.
func (t *Table[V]) Has(path string) bool {
	return t.lists[path] != nil || t.lists[Path(path)] != nil
}

// pkg returns what the table says of the names of a package.
func (t *Table[V]) pkg(path string) map[string]V {
	if names, ok := t.read.Load(path); ok {
		return names.(map[string]V)
	}
	lists, ok := t.lists[path]
	if !ok {
		lists = t.lists[Path(path)]
	}
	var names map[string]V
	for _, list := range lists {
		for _, name := range Expand(list.names) {
			if names == nil {
				names = make(map[string]V)
			}
			names[name] = list.value
		}
	}
	t.read.Store(path, names)
	return names
}

// Expand returns the names in a list that white space separates. A word with
// braces stands for several: File.{Read,Write} is File.Read and File.Write.
func Expand(list string) []string {
	var names []string
	for _, word := range strings.Fields(list) {
		before, rest, braces := strings.Cut(word, "{")
		if !braces {
			names = append(names, word)
			continue
		}
		inside, after, _ := strings.Cut(rest, "}")
		for choice := range strings.SplitSeq(inside, ",") {
			names = append(names, Expand(before+choice+after)...)
		}
	}
	return names
}
