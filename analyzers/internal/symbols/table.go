package symbols

import (
	"go/types"
	"strings"
)

// A Table says something of the symbols of packages. It is safe for concurrent
// use once it is filled.
type Table[V any] map[string]map[string]V

// Add lists names of the package, as [Expand] reads them. The last word on a
// name counts.
func (t Table[V]) Add(path, names string, v V) {
	for _, name := range Expand(names) {
		if t[path] == nil {
			t[path] = make(map[string]V)
		}
		t[path][name] = v
	}
}

// Of returns what the table says of a function or method.
func (t Table[V]) Of(fn *types.Func) (v V, ok bool) {
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
func (t Table[V]) Get(path, name string) (V, bool) {
	v, ok := t.pkg(path)[name]
	return v, ok
}

// Has reports whether the table lists anything of the package.
func (t Table[V]) Has(path string) bool { return t.pkg(path) != nil }

func (t Table[V]) pkg(path string) map[string]V {
	if names, ok := t[path]; ok {
		return names
	}
	return t[Path(path)]
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
