package lsp_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStaleResultsAreDropped types on while results come: each of them is about the
// text of its version.
func TestStaleResultsAreDropped(t *testing.T) {
	s := start(t, loopModule)
	s.Open("main.go")
	lines := map[int]int{1: 9} // of the finding, by version
	for i := range 20 {
		s.Replace("main.go", "package main\n", "package main\n\n")
		lines[s.Version("main.go")] = 10 + i
		time.Sleep(time.Duration(i) * 10 * time.Millisecond) // a person's pace, for runs to begin
	}
	s.ours("main.go", "[29,28] loop-block")
	for _, p := range s.History() {
		if got := p.Diagnostics[0].Range.Start.Line; got != lines[*p.Version] {
			t.Errorf("version %d has its finding on line %d, shown was %d", *p.Version, lines[*p.Version], got)
		}
	}
	if _, version := s.Shown("main.go"); version != s.Version("main.go") {
		t.Errorf("shown is version %d, want %d", version, s.Version("main.go"))
	}
	s.quit(0)
}

func TestEndings(t *testing.T) {
	t.Run("the editor goes away without a word", func(t *testing.T) {
		s := start(t, loopModule)
		s.Open("main.go")
		s.Hang()
		if code := <-s.code; code != 1 {
			t.Errorf("exit code %d, want 1", code)
		}
		s.nothingLeft("holdfast", "go-build")
	})
	t.Run("there is no place for temporary files", func(t *testing.T) {
		t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
		in, keep := io.Pipe() // the editor stays
		defer keep.Close()
		var stderr strings.Builder
		code := command().Run(t.Context(), nil, in, io.Discard, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), "making a temporary folder") {
			t.Errorf("exit code %d, stderr %q", code, &stderr)
		}
	})
	t.Run("in the middle of a run", func(t *testing.T) {
		s := start(t, loopModule)
		s.Open("main.go")
		s.ours("main.go", onDisk)
		s.Replace("main.go", "os.Remove(event)", "os.Remove(event); os.Remove(event)")
		s.quit(0)
	})
}

func TestRequestsThatCannotBeServed(t *testing.T) {
	s := start(t, loopModule)
	if err := s.TryCall("textDocument/definition", map[string]any{}, nil); err == nil || !strings.Contains(err.Error(), "-32601") {
		t.Errorf("an unknown method: %v", err)
	}
	if err := s.TryCall("textDocument/hover", []int{1}, nil); err == nil || !strings.Contains(err.Error(), "-32602") {
		t.Errorf("bad parameters: %v", err)
	}
	s.Notify("textDocument/didChange", []int{1})
	s.Notify("$/setTrace", map[string]any{"value": "off"})
	s.OpenText("notes.txt", "no Go")
	s.Open("main.go")
	s.ours("main.go", onDisk)
	s.quit(0)
}

func TestArguments(t *testing.T) {
	tests := []struct {
		args string
		code int
		want string
	}{
		{"-help", 0, "usage: holdfast lsp"},
		{"-nonsense", 2, "flag provided but not defined"},
		{"-loopblock.kinds=nonsense", 2, "unknown kind"},
		{"./...", 2, "unexpected argument"},
		{"-wrap", 2, "needs the name of a server"},
		{"-wrap /does/not/exist", 2, "starting the server that -wrap names"},
	}
	for _, test := range tests {
		var out strings.Builder
		code := command().Run(t.Context(), strings.Fields(test.args), strings.NewReader(""), &out, &out)
		if code != test.code || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: code %d, want %d; printed %q, want %q", test.args, code, test.code, out.String(), test.want)
		}
	}
}
