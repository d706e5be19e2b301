// Package clipboard is a stub with the calls of the real one.
package clipboard

var Unsupported bool

func WriteAll(text string) error { return writeAll(text) }
