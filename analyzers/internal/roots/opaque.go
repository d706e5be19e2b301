package roots

// Opaque reports whether the table is the whole truth about the package, so
// that nobody looks into its bodies. The standard library is opaque too, and
// is left to the caller to tell.
func Opaque(path string) bool { return false }
