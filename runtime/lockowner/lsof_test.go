//go:build unix

package lockowner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
	if holders := runLsof(t, files); len(holders) != 0 {
		t.Errorf("nobody has them open: %v", holders)
	}
	for range 2 {
		opened, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
	}
	holders := runLsof(t, files)
	if len(holders) != 1 {
		t.Fatalf("%v", holders)
	}
	want := fmt.Sprintf("candidate: pid %d (this process) has state.db open", os.Getpid())
	if got := holders[0]; got.String() != want || got.Command == "" || got.File != path {
		t.Errorf("%+v, want %q", got, want)
	}
}

// runLsof skips the test where lsof meets a mount that does not answer.
func runLsof(t *testing.T, files []string) []Holder {
	t.Helper()
	holders, err := lsof(t.Context(), files)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Skip("some mount of this machine hangs: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return holders
}

func TestLsofThatHangsIsBounded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lsof"), []byte("#!/bin/sh\nexec sleep 3600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if holders, err := lsof(ctx, []string{dir}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v", holders, err)
	}
}

func TestWithoutLsofNothingIsClaimed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if holders, err := lsof(t.Context(), []string{"/x"}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("not installed: %v, %v", holders, err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lsof"), []byte("#!/bin/sh\necho cannot see >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if holders, err := lsof(t.Context(), []string{"/x"}); err == nil || !strings.Contains(err.Error(), "cannot see") {
		t.Errorf("failing: %v, %v", holders, err)
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
