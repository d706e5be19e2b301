package unit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A content ID that misses a change would make the go command serve results of
// an older tool; one that needs the whole file costs every run of go vet.
func TestContentIDIsTheLinkersAndFollowsTheContents(t *testing.T) {
	if testing.Short() {
		t.Skip("links programs")
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		one := link(t, goos, `package main; func main() { println("one") }`)
		two := link(t, goos, `package main; func main() { println("two") }`)
		out, err := exec.Command("go", "tool", "buildid", one).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.TrimSpace(string(out))
		want = want[strings.LastIndexByte(want, '/')+1:]
		if got := idOf(t, one); got != want {
			t.Errorf("%s: content ID %q, the go command says %q", goos, got, want)
		}
		if idOf(t, one) == idOf(t, two) {
			t.Errorf("%s: two programs have one content ID", goos)
		}
	}
}

func TestContentIDOfStrippedExecutables(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	big := strings.Repeat("x", buildIDRange+100)
	for name, content := range map[string]string{a: big + "a", b: big + "b"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if idOf(t, a) == idOf(t, b) {
		t.Error("files that differ at the end have one ID")
	}
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if idOf(t, short) == "" {
		t.Error("a short file has no ID")
	}
}

func idOf(t *testing.T, name string) string {
	t.Helper()
	id, err := executableID(name)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func link(t *testing.T, goos, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", "out", "main.go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GO111MODULE=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "out")
}
