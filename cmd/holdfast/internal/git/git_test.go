package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRootKeepsTheSpellingOfTheDirectory(t *testing.T) {
	dir := t.TempDir()
	if _, err := Output(t.Context(), dir, "init"); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "a dir", "sub")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	for start, want := range map[string]string{dir: dir, sub: dir, filepath.Join(link, "a dir"): link} {
		if root, err := Root(t.Context(), start); err != nil || root != want {
			t.Errorf("Root(%s) = %s, %v; want %s", start, root, err, want)
		}
	}
}

func TestErrorsCarryWhatGitSays(t *testing.T) {
	_, err := Output(t.Context(), t.TempDir(), "rev-parse", "--show-cdup")
	if err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("got %v", err)
	}
}
