package govet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

func TestStderrIsTakenApart(t *testing.T) {
	const stderr = `go: downloading example.com/x v1.0.0
# m/p
p/p.go:1:2: undefined: x
p/p.go:2:3: undefined: y
# m/p [m/p.test]
# m/q [m/q.test]
q/q_test.go:1:1: expected declaration
package m/r
	imports m/s: build constraints exclude all Go files in /m/s
`
	got := splitBlocks(stderr)
	want := []Problem{
		{"m/p", "p/p.go:1:2: undefined: x\np/p.go:2:3: undefined: y"},
		{"m/q", "q/q_test.go:1:1: expected declaration\npackage m/r\n\timports m/s: build constraints exclude all Go files in /m/s"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	loose := splitBlocks("a/a.go:1:1: expected 'package', found 'EOF'\npackage m/r\n\timports m/s: no\n")
	want = []Problem{
		{"", "a/a.go:1:1: expected 'package', found 'EOF'"},
		{"", "package m/r\n\timports m/s: no"},
	}
	if !slices.Equal(loose, want) {
		t.Errorf("got  %q\nwant %q", loose, want)
	}
}

func TestJSONBecomesFindings(t *testing.T) {
	const stdout = `{"m/clean": {}}
{"m/p": {"detachedspawn": [{
	"category": "detached-spawn", "posn": "/m/p/p.go:3:7", "end": "/m/p/p.go:3:9", "message": "it detaches",
	"related": [{"posn": "/m/q/q.go:1:2", "end": "/m/q/q.go:1:3", "message": "here"}],
	"suggested_fixes": [{"message": "own it", "edits": [{"filename": "/m/p/p.go", "start": 5, "end": 6, "new": "x"}]}]
}]}}
{"m/p_test": {"printf": [{"posn": "gen.y:100", "end": "gen.y:100", "message": "bad"}]}}
`
	r := &Result{Packages: make(map[string]bool)}
	steps := 0
	if err := r.decode(strings.NewReader(stdout), func() { steps++ }); err != nil {
		t.Fatal(err)
	}
	if len(r.Packages) != 3 || steps != 3 || !r.Packages["m/clean"] {
		t.Errorf("packages %v in %d steps", r.Packages, steps)
	}
	if len(r.Findings) != 2 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Position() != "/m/p/p.go:3:7" || f.EndCol != 9 || f.Category != "detached-spawn" || f.Package != "m/p" ||
		f.Related[0].Position() != "/m/q/q.go:1:2" || f.Fixes[0].Edits[0] != (finding.Edit{File: "/m/p/p.go", Start: 5, End: 6, New: "x"}) {
		t.Errorf("%+v", f)
	}
	if f := r.Findings[1]; f.Category != "printf" || f.Position() != "gen.y:100" {
		t.Errorf("%+v", f)
	}
	if err := new(Result).decode(strings.NewReader(`{"m": {`), nil); err == nil {
		t.Error("half an object was accepted")
	}
}

// fakeGo puts a shell script in the place of the go command.
func fakeGo(t *testing.T, script string) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestFailuresOfTheGoCommand(t *testing.T) {
	tests := []struct {
		name, script string
		problem      string // or
		err          string
		note         string
	}{
		{"fails with reasons", "echo '# m/p' >&2; echo 'p.go:1:1: bad' >&2; exit 1", "p.go:1:1: bad", "", ""},
		{"fails in silence", "exit 1", "did not say why", "", ""},
		{"succeeds with a warning", "echo 'go: warning: odd' >&2", "", "", "odd"},
		{"is killed", "kill -9 $$", "", "signal", ""},
		{"prints half", `printf '{"m": {'; exit 0`, "", "decoding JSON", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fakeGo(t, test.script)
			result, err := Command{Tool: "tool"}.Run(t.Context())
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := len(result.Problems); (got > 0) != (test.problem != "") || got > 0 && !strings.Contains(result.Problems[0].Text, test.problem) {
				t.Errorf("problems %q, want %q", result.Problems, test.problem)
			}
			if got := strings.Join(result.Notes, ""); !strings.Contains(got, test.note) || test.note == "" && got != "" {
				t.Errorf("notes %q, want %q", got, test.note)
			}
		})
	}
}

func TestTheGoCommandEndsWithTheContext(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	fakeGo(t, `trap 'rm "$READY"; exit 1' INT
: > "$READY"
while :; do :; done
`)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("the user has had enough")
	go func() {
		for {
			if _, err := os.Stat(ready); err == nil {
				cancel(reason)
				return
			}
		}
	}()
	_, err := Command{Tool: "tool", Env: []string{"READY=" + ready}}.Run(ctx)
	if !errors.Is(err, reason) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(ready); !os.IsNotExist(err) {
		t.Error("the go command was not interrupted")
	}
}
