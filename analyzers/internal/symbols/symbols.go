// Package symbols names the functions, types and fields of other packages the
// way that tables of them do, and keeps such tables.
//
// A name is that of a function ("Open"), of a method or field with its type
// ("File.Read", pointers and interfaces alike), of every method of a type
// ("Client.*"), or of every function and method of a package ("*"). Major
// versions of a module share their entries: example.org/x/v2/y is listed as
// example.org/x/y.
package symbols

import (
	"go/types"
	"strings"
)

// Name returns the name of a function or method within its package: "Open",
// "File.Read". A method of a type without a name is called as a function is.
func Name(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	owner := Named(recv.Type())
	if owner == nil {
		return fn.Name()
	}
	return owner.Obj().Name() + "." + fn.Name()
}

// Named returns the named type that t is, or points to; nil if it is neither.
func Named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// IsAbstract reports whether fn is a method of an interface.
func IsAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// Path returns an import path without its major version and without the
// directory that a vendored package lies in.
func Path(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	for from := 0; ; {
		start, end := version(path, from)
		if start < 0 {
			return path
		}
		path = path[:start] + path[end:]
		from = start
	}
}

// version finds the next major version in an import path: /v2 after a module's
// path, .v2 at the end of a gopkg.in one.
func version(path string, from int) (start, end int) {
	for i := from; i+2 < len(path); i++ {
		if path[i] != '/' && path[i] != '.' || path[i+1] != 'v' {
			continue
		}
		j := i + 2
		for j < len(path) && '0' <= path[j] && path[j] <= '9' {
			j++
		}
		if j > i+2 && (j == len(path) || path[j] == '/') {
			return i, j
		}
	}
	return -1, -1
}
