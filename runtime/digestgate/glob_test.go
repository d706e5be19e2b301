package digestgate

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	s := Step{Dir: dir}
	for _, path := range strings.Fields("go.mod main.go a/a.go a/b/b.go a/b/c/c.go a/b/c/d.txt .hidden/h.go x.go/inside [odd]/o.go") {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"a/b/loop": "..", "linked.go": "main.go", "dangling.go": "none", "folder": "a"} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := map[string]string{
		"*.go":          "linked.go main.go",
		"a/*/b.go":      "a/b/b.go",
		"a/**/*.go":     "a/a.go a/b/b.go a/b/c/c.go",
		"**/*.go":       ".hidden/h.go [odd]/o.go a/a.go a/b/b.go a/b/c/c.go linked.go main.go",
		"**/c/*":        "a/b/c/c.go a/b/c/d.txt",
		"**/b/**/c.go":  "a/b/c/c.go",
		"a/b/*":         "a/b/b.go",
		"folder/*.go":   "folder/a.go",
		"./a/../a/*.go": "a/a.go",
		`\[odd\]/*.go`:  "[odd]/o.go",
		"x.go/*":        "x.go/inside",
		"go.mod/*":      "",
		"none/**/*.go":  "",
		"go.mod":        "go.mod",
		"?????.go":      "",
		"*/[ab].go":     "a/a.go folder/a.go",
	}
	for pattern, want := range tests {
		if err := validatePattern(pattern); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		got, err := s.expand(pattern)
		slices.Sort(got)
		got = slices.Compact(got)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %q", pattern, got, err, want)
		}
	}
}

func TestAFolderThatMayNotBeReadIsAnError(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("whoever runs this may read everything")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	if got, err := (Step{Dir: dir}).expand("**/*.go"); err == nil {
		t.Errorf("found %q", got)
	}
}
