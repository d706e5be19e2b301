//go:build unix

package lockowner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestLsofNamesCandidates(t *testing.T) {
	if _, err := exec.LookPath("lsof"); err != nil {
		t.Skip("lsof is not installed")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	files := []string{path, path + shmSuffix}
	for _, file := range files {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if holders, err := lsof(t.Context(), files); err != nil || len(holders) != 0 {
		t.Errorf("nobody has them open: %v, %v", holders, err)
	}
	for range 2 {
		opened, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
	}
	holders, err := lsof(t.Context(), files)
	if err != nil || len(holders) != 1 {
		t.Fatalf("%v, %v", holders, err)
	}
	want := fmt.Sprintf("candidate: pid %d (this process) has state.db open", os.Getpid())
	if got := holders[0]; got.String() != want || got.Command == "" || got.File != path {
		t.Errorf("%+v, want %q", got, want)
	}
}

func TestLsofOutput(t *testing.T) {
	const out = "p42\ncsqlite3\nf3\nn/a/state.db\nf4\nn/a/state.db\nf5\nn/a/state.db-shm\np43\ncmy app\nf9\nn/a/state.db\npx\nf1\nn/a/state.db\n"
	want := []Holder{
		{PID: 42, Candidate: true, Command: "sqlite3", File: "/a/state.db"},
		{PID: 42, Candidate: true, Command: "sqlite3", File: "/a/state.db-shm"},
		{PID: 43, Candidate: true, Command: `"my app"`, File: "/a/state.db"},
	}
	got := parseLsof(out)
	if !slices.EqualFunc(got, want, func(a, b Holder) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }) {
		t.Errorf("got %#v", got)
	}
}
