package libs

import "sync"

// Has reports whether any function of the package is listed. It is cheap enough
// to be asked about every import of a program, and safe for concurrent use.
func Has(pkgPath string) bool {
	known := packages()
	return known[pkgPath] || known[plainPath(pkgPath)]
}

// packages returns the paths that the table has, without major versions.
var packages = sync.OnceValue(func() map[string]bool {
	paths := make(map[string]bool)
	for f := range table {
		paths[f.pkg] = true
	}
	return paths
})
