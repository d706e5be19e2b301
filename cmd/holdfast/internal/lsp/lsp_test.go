package lsp_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/lsptest"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/suite"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// asCommand makes this test binary be "holdfast lsp", for real editors.
const asCommand = "HOLDFAST_TEST_LSP"

// TestMain is the vet tool for the server under test, which runs its own
// executable as such, or the server itself.
func TestMain(m *testing.M) {
	switch {
	case unit.IsInvocation(os.Args[1:]):
		os.Exit(unit.Tool{Rules: suite.Rules()}.Main(os.Args[1:], os.Stdout, os.Stderr))
	case os.Getenv(asCommand) != "":
		os.Exit(command().Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	var err error
	if scratch, err = os.MkdirTemp("", "lsp-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// scratch is a folder for what several tests use.
var scratch string

func command() lsp.Command {
	return lsp.Command{
		Suite:   func() check.Suite { return check.Suite{Rules: suite.Rules(), Excluded: suite.Excluded} },
		Version: "v0.0.0-test",
	}
}

// A session is an editor and the server that it talks to.
type session struct {
	*lsptest.Editor
	t    testing.TB
	temp string // where the server makes temporary files
	code chan int
}

// start runs the server in this process on a module of a txtar archive.
func start(t testing.TB, archive string, args ...string) *session {
	t.Helper()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(root, f.Name), string(f.Data))
	}
	return startIn(t, root, args...)
}

func startIn(t testing.TB, root string, args ...string) *session {
	t.Helper()
	s := &session{t: t, temp: t.TempDir(), code: make(chan int, 1)}
	t.Setenv("TMPDIR", s.temp)
	t.Setenv("GOFLAGS", "")
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.code <- command().Run(ctx, args, toServer, fromServer, testWriter{t})
		fromServer.Close()
		toServer.Close()
	}()
	t.Cleanup(func() { cancel(); in.Close(); out.Close(); <-ended })
	s.Editor = lsptest.Connect(t, root, out, in)
	return s
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("stderr: %s", p)
	return len(p), nil
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ours waits until a file shows exactly these findings of holdfast.
func (s *session) ours(name string, want ...string) {
	s.t.Helper()
	s.Wants(name, "holdfast", want...)
}

// quit ends the session and checks what is left.
func (s *session) quit(want int) {
	s.t.Helper()
	s.Quit()
	if code := <-s.code; code != want {
		s.t.Errorf("exit code %d, want %d", code, want)
	}
	s.nothingLeft("holdfast", "go-build")
}

// nothingLeft looks for temporary files whose names begin so.
func (s *session) nothingLeft(prefixes ...string) {
	s.t.Helper()
	left, err := os.ReadDir(s.temp)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, entry := range left {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(entry.Name(), prefix) }) {
			s.t.Errorf("the server left %s", entry.Name())
		}
	}
}

const loopModule = `
-- go.mod --
module m

go 1.26
-- main.go --
package main

import "os"

func main() { handle("start") }

// handle takes one event.
//
//holdfast:loop
func handle(event string) { os.Remove(event) }
-- config/config.go --
package config

import "os"

func Save(name string) error { return os.WriteFile(name, nil, 0o600) }
`

const onDisk = "[9,28] loop-block handle runs on an event loop and waits on disk: os.Remove"

func TestSessions(t *testing.T) {
	tests := []struct {
		name   string
		module string
		run    func(s *session)
	}{
		{"a finding on the disk is shown, and goes when the text is repaired", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "_, _ = os.Args, event")
			s.ours("main.go")
		}},
		{"unsaved text is judged", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "os.Remove(event); os.Remove(event)")
			s.Replace("main.go", "package main", "package main\n\n// A line more.")
			s.ours("main.go", "[11,28] loop-block")
		}},
		{"text that was judged unsaved is saved", loopModule, func(s *session) {
			s.Open("main.go")
			s.Replace("main.go", "package main", "package main\n\n// A line more.")
			s.ours("main.go", "[11,28] loop-block")
			s.Save("main.go")
			s.Close("main.go")
			s.ours("main.go")
			s.Open("main.go") // the go command has the result of the unsaved text in its cache
			s.ours("main.go", "[11,28] loop-block")
		}},
		{"a finding through another file's unsaved text", loopModule, func(s *session) {
			s.Open("main.go")
			s.Open("config/config.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "config.Save(event)")
			s.Replace("main.go", `import "os"`, `import "m/config"`)
			s.ours("main.go", "Save (config/config.go:5) → os.WriteFile")
			s.Replace("config/config.go", "return os.WriteFile(name, nil, 0o600)", "_ = os.Args; return nil")
			s.ours("main.go")
		}},
		{"a marker is added, asks for its reason and accepts", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,28] loop-block handle", "[9,0] marker this loop-block marker has words that are no reason")
			s.Replace("main.go", "why?", "the file lies in memory, on a tmpfs")
			s.ours("main.go")
		}},
		{"a suggested fix is applied", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event) }", "os.Remove(event) } // loop_block: ok — the file lies on a tmpfs")
			s.ours("main.go", "loop-block handle", "marker misspelt marker")
			shown, _ := s.Shown("main.go")
			slices.Reverse(shown)
			s.Apply(s.Actions("main.go", "holdfast"), `Write "loop-block: ok"`)
			s.ours("main.go")
		}},
		{"broken code shows nothing that may be wrong, and recovers", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Replace("main.go", "os.Remove(event)", "os.Remove(event")
			s.ours("main.go")
			s.Replace("main.go", "os.Remove(event", "os.Remove(evnt)")
			s.Replace("main.go", "evnt", "event")
			s.ours("main.go", onDisk)
		}},
		{"closing clears, opening again shows", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.Close("main.go")
			s.ours("main.go")
			s.Open("main.go")
			s.ours("main.go", onDisk)
		}},
		{"closing without saving judges the file on the disk", loopModule, func(s *session) {
			s.Open("main.go")
			s.OpenText("other.go", "package main\n\nfunc init() { handle(\"x\") }\n\nfunc other() {}\n")
			s.Replace("main.go", "os.Remove(event)", "other(); _ = os.Args")
			s.ours("main.go")
			s.Close("other.go") // which is nowhere now, so main.go does not compile
			s.Replace("main.go", "other(); _ = os.Args", "os.Remove(event)")
			s.ours("main.go", onDisk)
		}},
		{"a file is renamed", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			content := s.Text("main.go")
			s.Close("main.go")
			if err := os.Rename(s.Path("main.go"), s.Path("start.go")); err != nil {
				s.t.Fatal(err)
			}
			s.OpenText("start.go", content)
			s.ours("main.go")
			s.ours("start.go", onDisk)
		}},
		{"a new file that was never saved", loopModule, func(s *session) {
			s.OpenText("new.go", "package main\n\nimport \"time\"\n\n//holdfast:loop\nfunc tick() { time.Sleep(1) }\n")
			s.ours("new.go", "[5,14] loop-block tick runs on an event loop and waits on sleep")
		}},
		{"characters are counted as UTF-16", loopModule, func(s *session) {
			s.Open("main.go")
			s.Replace("main.go", "os.Remove(event)", `_ = "🙂é世"; os.Remove(event)`)
			// One character of two units, two of one: 28 + len(`_ = "`) + 4 + len(`"; `).
			s.ours("main.go", "[9,40] loop-block")
			s.Replace("main.go", "🙂", "🙂🙂")
			s.ours("main.go", "[9,42] loop-block")
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,42] loop-block", "[9,0] marker")
		}},
		{"a file of another platform is judged from its text", loopModule, func(s *session) {
			s.OpenText("win/run_windows.go", "package win\n")
			s.Save("win/run_windows.go")
			s.SetText("win/run_windows.go", `package win

import (
	"os/exec"
	"syscall"
)

func run(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP} }
`)
			s.ours("win/run_windows.go", "detached-spawn")
		}},
		{"lines end with CRLF", loopModule, func(s *session) {
			s.Open("main.go")
			s.SetText("main.go", strings.ReplaceAll(s.Text("main.go"), "\n", "\r\n"))
			s.ours("main.go", onDisk)
			s.Apply(s.Actions("main.go", "holdfast"), "Add loop-block marker")
			s.ours("main.go", "[10,28] loop-block", "[9,0] marker")
			s.Replace("main.go", "why?\r\n", "the file lies on a tmpfs\r\n")
			s.ours("main.go")
		}},
		{"hovers explain markers and directives", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.wantHover("main.go", "//holdfast:loop", "Runs on an event loop", "Because of it:\n- line 10: handle runs on an event loop")
			s.Replace("main.go", "os.Remove(event) }", "os.Remove(event) } // loop-block: ok — the file lies on a tmpfs")
			s.ours("main.go")
			s.wantHover("main.go", "// loop-block", "Accepts what [loop-block]", "Still needed", "line 10: handle runs on an event loop and waits on disk")
			s.Replace("main.go", "os.Remove(event)", "_, _ = os.Args, event")
			s.ours("main.go", "marker unused loop-block marker")
			s.wantHover("main.go", "// loop-block", "Not needed any more")
			if got := s.Hover("main.go", "func main"); got != "" {
				s.t.Errorf("there is a hover on code: %s", got)
			}
		}},
		{"lenses tell what runs on a loop", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			s.wantLenses("main.go", "event loop")
			s.Replace("main.go", "//holdfast:loop", "//holdfast:loop allow=disk")
			s.ours("main.go")
			s.wantLenses("main.go", "event loop; allows disk")
		}},
		{"the settings file counts, also when it changes", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			write(s.t, s.Path("holdfast.toml"), "[loopblock]\nkinds = [\"-disk\"]\n")
			s.FileChanged("holdfast.toml")
			s.ours("main.go")
		}},
		{"what the baseline accepts is a hint", loopModule, func(s *session) {
			s.Open("main.go")
			s.ours("main.go", onDisk)
			write(s.t, s.Path("baseline/holdfast.baseline"), "loop-block m handle `os.Remove(event)` #1 — until the supervisor lands, #412\n")
			s.Save("main.go")
			s.Until("a hint", func() bool {
				shown, _ := s.Shown("main.go")
				return len(shown) == 1 && strings.Contains(shown[0].Message, "accepted by the baseline: until the supervisor")
			})
			write(s.t, s.Path("baseline/holdfast.baseline"), "nonsense\n")
			s.Save("main.go")
			s.Until("a warning", func() bool {
				shown, _ := s.Shown("main.go")
				return len(shown) == 1 && !strings.Contains(shown[0].Message, "accepted") && s.Seen("window/showMessage") == 1
			})
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, test.module)
			test.run(s)
			s.quit(0)
		})
	}
}

func (s *session) wantHover(name, at string, parts ...string) {
	s.t.Helper()
	got := s.Hover(name, at)
	for _, part := range parts {
		if !strings.Contains(got, part) {
			s.t.Errorf("hover on %q has no %q:\n%s", at, part, got)
		}
	}
}

func (s *session) wantLenses(name string, want ...string) {
	s.t.Helper()
	if got := s.Lenses(name); !slices.Equal(got, want) {
		s.t.Errorf("lenses of %s: %q, want %q", name, got, want)
	}
}

// TestWorkspace has two modules in a go.work, with a finding in one through the
// unsaved text of the other, and a module that is not in it.
func TestWorkspace(t *testing.T) {
	s := start(t, `
-- go.work --
go 1.26

use (
	./app
	./lib
)
-- app/go.mod --
module example.com/app

go 1.26
-- app/main.go --
package main

import "example.com/lib"

func main() { handle() }

//holdfast:loop
func handle() { lib.Do() }
-- lib/go.mod --
module example.com/lib

go 1.26
-- lib/lib.go --
package lib

func Do() {}
-- apart/go.mod --
module example.com/apart

go 1.26
-- apart/apart.go --
package apart
`)
	s.Open("app/main.go")
	s.Open("lib/lib.go")
	s.Replace("lib/lib.go", "func Do() {}", "import \"time\"\n\nfunc Do() { time.Sleep(1) }")
	s.ours("app/main.go", "Do (lib/lib.go:5) → time.Sleep")
	s.Replace("lib/lib.go", "time.Sleep(1)", "_ = time.Now")
	s.ours("app/main.go")
	s.Open("apart/apart.go")
	s.Until("a word about the module apart", func() bool { return s.Seen("window/showMessage") == 1 })
	s.quit(0)
}

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

// TestNoModule opens a file that belongs to none.
func TestNoModule(t *testing.T) {
	s := start(t, "-- a.go --\npackage a\n")
	s.Open("a.go")
	s.Until("a line in the log", func() bool { return s.Seen("window/logMessage") == 1 })
	write(t, s.Path("go.mod"), "module m\n\ngo 1.26\n")
	s.SetText("a.go", "package a\n\nimport \"time\"\n\n//holdfast:loop\nfunc f() { time.Sleep(1) }\n")
	s.ours("a.go", "loop-block")
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

// program returns the path of a program that a test needs. Under HOLDFAST_E2E=1
// it must be there.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("HOLDFAST_E2E") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return path
}
