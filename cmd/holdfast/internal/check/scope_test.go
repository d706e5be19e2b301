package check

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tree writes empty files; names end in "/" for folders.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestScopeCoversWhatTheGoCommandWould(t *testing.T) {
	root := tree(t,
		"m.go", "a/a.go", "a/b/b_test.go", "a/readme.txt", "_x/x.go", ".git/x.go", "a/testdata/x.go",
		"vendor/v/v.go", "nested/go.mod", "nested/n.go", "skip/s.go", "deep/skip/s.go", "rooted/r.go",
		"deep/rooted/r.go", "a/_ignored.go", "a/.hidden.go")
	modules := []module{{path: "m", dir: root, ignored: []string{"skip", "./rooted"}}}
	tests := []struct {
		patterns []string
		want     []string
		inexact  bool
	}{
		{[]string{"./..."}, []string{".", "a", "a/b", "deep/rooted"}, false},
		{[]string{"./a/..."}, []string{"a", "a/b"}, false},
		{[]string{"./a"}, []string{"a"}, false},
		{[]string{"."}, []string{"."}, false},
		{[]string{"./a", "./a/..."}, []string{"a", "a/b"}, false},
		{[]string{"./a/testdata"}, []string{"a/testdata"}, false},
		{[]string{root + "/a"}, []string{"a"}, false},
		{[]string{"m/a"}, nil, true},
		{[]string{"..."}, nil, true},
		{[]string{"./.../b"}, nil, true},
		{[]string{"a.go"}, nil, true},
		{[]string{"./a/a.go"}, nil, true},
		{[]string{"./a", "m/..."}, []string{"a"}, true},
	}
	for _, test := range tests {
		s, err := newScope(root, test.patterns, modules)
		if err != nil {
			t.Errorf("%v: %v", test.patterns, err)
			continue
		}
		var got []string
		for _, dir := range slices.Sorted(maps.Keys(s.dirs)) {
			rel, _ := filepath.Rel(root, dir)
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, test.want) || s.inexact != test.inexact {
			t.Errorf("%v: folders %q, inexact %t; want %q, %t", test.patterns, got, s.inexact, test.want, test.inexact)
		}
		if n := len(s.dirs[filepath.Join(root, "a")]); n > 1 {
			t.Errorf("%v: a.go is listed %d times", test.patterns, n)
		}
	}
	if _, err := newScope(root, []string{"./none/..."}, modules); err == nil {
		t.Error("a folder that does not exist was accepted")
	}
}

func TestImportPathsAndFolders(t *testing.T) {
	root := tree(t, "m.go", "a/a.go", "b_test/b.go", "sub/s.go")
	s, err := newScope(root, []string{"./..."}, []module{{path: "m", dir: root}, {path: "m/sub", dir: filepath.Join(root, "sub")}, {path: "other/x", dir: "/elsewhere"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ id, dir string }{
		{"m", "."},
		{"m_test", "."},
		{"m/a", "a"},
		{"m/a_test", "a"},
		{"m/b_test", "b_test"},
		{"m/b_test_test", "b_test"},
		{"m/sub", "sub"},
		{"m/sub_test", "sub"},
	}
	for _, test := range tests {
		dir, ok := s.dirOf(test.id)
		if want := filepath.Join(root, test.dir); !ok || dir != want {
			t.Errorf("dirOf(%q) = %q, %t, want %q", test.id, dir, ok, want)
		}
	}
	for _, id := range []string{"mm", "other", "fmt", "golang.org/x/tools/go"} {
		if dir, ok := s.dirOf(id); ok {
			t.Errorf("dirOf(%q) = %q", id, dir)
		}
	}
	for dir, want := range map[string]string{".": "m", "a": "m/a", "sub": "m/sub"} {
		if got := s.importPath(filepath.Join(root, dir)); got != want {
			t.Errorf("importPath(%s) = %q, want %q", dir, got, want)
		}
	}
}
