// Package libs knows the functions of third-party modules that start a process
// out of their caller's reach.
//
// It lists only those that nothing else finds: they start a process of their
// own making, from a name, a command line or the running program itself. What
// a library does to a command or to attributes that its caller holds follows
// from the library's source, through facts; the pseudo-terminal libraries stand
// here all the same, for code that is looked at without its dependencies.
package libs

import (
	"regexp"
	"strings"
	"sync"
)

// An Entry says what a function does to the process that it starts.
type Entry struct {
	// What goes on after the function's name in a message: "starts the child …".
	What string
}

// Lookup returns the entry of a function, or of a method of the named type
// recv ("" for a function, no pointer's star). Major versions of a module share
// their entries: example.org/x/v2/y is example.org/x/y. It is safe for
// concurrent use.
func Lookup(pkgPath, recv, name string) (Entry, bool) {
	if !listed()[name] {
		return Entry{}, false // nearly every call: not worth taking the path apart
	}
	what, ok := table[function{plainPath(pkgPath), recv, name}]
	return Entry{What: what}, ok
}

// listed returns the names that the table has, of whatever package.
var listed = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	for f := range table {
		names[f.name] = true
	}
	return names
})

// A function names a function, or a method of a type, by its package's path
// without a major version.
type function struct{ pkg, recv, name string }

// majorVersion is how a major version stands in an import path: /v2 after a
// module's path, .v2 at the end of a gopkg.in one.
var majorVersion = regexp.MustCompile(`[/.]v[0-9]+(/|$)`)

// plainPath returns an import path without its major version and without the
// directory that a vendored package lies in.
func plainPath(pkgPath string) string {
	if i := strings.LastIndex(pkgPath, "/vendor/"); i >= 0 {
		pkgPath = pkgPath[i+len("/vendor/"):]
	}
	return majorVersion.ReplaceAllString(pkgPath, "$1")
}
