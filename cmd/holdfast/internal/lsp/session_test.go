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
	return startIn(t, unpack(t, archive), args...)
}

// startWithout is start with an editor that has not got some capabilities.
func startWithout(t testing.TB, archive string, capabilities ...string) *session {
	t.Helper()
	return connect(t, unpack(t, archive), nil, capabilities)
}

func startIn(t testing.TB, root string, args ...string) *session {
	t.Helper()
	return connect(t, root, args, nil)
}

func unpack(t testing.TB, archive string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(root, f.Name), string(f.Data))
	}
	return root
}

func connect(t testing.TB, root string, args, without []string) *session {
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
	s.Editor = lsptest.Connect(t, root, out, in, without...)
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
