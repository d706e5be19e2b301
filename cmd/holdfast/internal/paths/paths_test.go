package paths

import (
	"path/filepath"
	"testing"
)

func TestIsBelow(t *testing.T) {
	for _, test := range []struct {
		protects     string
		folder, path string
		want         bool
	}{
		{"a file in it", "/a", "/a/b", true},
		{"a file deep in it", "/a", "/a/b/c", true},
		{"the folder itself", "/a", "/a", false},
		{"a name that only begins so", "/a", "/ab", false},
		{"a name that begins with dots", "/a", "/a/..b", true},
		{"the folder around it", "/a/b", "/a", false},
		{"the root", "/", "/a", true},
		{"the root itself", "/", "/", false},
	} {
		if got := IsBelow(filepath.FromSlash(test.folder), filepath.FromSlash(test.path)); got != test.want {
			t.Errorf("%s: IsBelow(%s, %s) = %t", test.protects, test.folder, test.path, got)
		}
	}
}
