// Package paths compares absolute paths that are clean, as path/filepath.Clean
// has them. It does not look at the disk, so links are not followed.
package paths

import (
	"path/filepath"
	"runtime"
	"strings"
)

const separator = string(filepath.Separator)

// IsBelow reports whether path lies below the folder, and is not the folder itself.
func IsBelow(folder, path string) bool {
	prefix := strings.TrimSuffix(folder, separator) + separator
	return len(path) > len(prefix) && equal(path[:len(prefix)], prefix)
}

func equal(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
