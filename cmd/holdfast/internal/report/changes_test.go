package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestChangedLinesAreThoseOfTheDiff(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	writeFile(t, at("a.go"), "1\n2\n3\n4\n5\n")
	writeFile(t, at("gone.go"), "1\n")
	writeFile(t, at("same.go"), "1\n")
	writeFile(t, at("sub/shorter.go"), "1\n++ b/same.go\n3\n")
	runGit(t, dir, "init")
	runGit(t, dir, "config", "diff.noprefix", "true") // as some users have it
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-m", "base")

	writeFile(t, at("a.go"), "1\n++ b/same.go\n3\n4\n5\n@@ -1 +1 @@\n7\n")
	writeFile(t, at("sub/shorter.go"), "1\n3\n")
	writeFile(t, at("sub/字 and \"quote\".go"), "new\nfile\n")
	if err := os.Remove(at("gone.go")); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-m", "topic")

	changes, err := ChangedLines(t.Context(), at("sub"), "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	want := Changes{
		at("a.go"):                   {{2, 2}, {6, 7}},
		at("sub/字 and \"quote\".go"): {{1, 2}},
	}
	if !reflect.DeepEqual(changes, want) {
		t.Errorf("got %v, want %v", changes, want)
	}
}

func TestTouch(t *testing.T) {
	changes := Changes{"a.go": {{3, 5}}}
	tests := []struct {
		file       string
		start, end int
		want       bool
	}{
		{"a.go", 3, 3, true}, {"a.go", 5, 9, true}, {"a.go", 1, 3, true}, {"a.go", 4, 0, true},
		{"a.go", 1, 2, false}, {"a.go", 6, 6, false}, {"b.go", 4, 4, false},
	}
	for _, test := range tests {
		if got := changes.Touch(test.file, test.start, test.end); got != test.want {
			t.Errorf("%s:%d-%d: %t, want %t", test.file, test.start, test.end, got, test.want)
		}
	}
	if (Changes)(nil).Touch("a.go", 1, 1) {
		t.Error("nothing has changed, and a line is touched")
	}
}

func TestChangedLinesOfAnUnknownBaseAreAnError(t *testing.T) {
	dir := t.TempDir()
	runGit(t, dir, "init")
	for _, base := range []string{"", "--output=x", "no-such-revision"} {
		if changes, err := ChangedLines(t.Context(), dir, base); err == nil {
			t.Errorf("%q: %v", base, changes)
		}
	}
}
