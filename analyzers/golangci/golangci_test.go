package golangci

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/txtar"
)

// The version of golangci-lint that is tried.
const golangciLint = "github.com/golangci/golangci-lint/v2@v2.15.0"

func TestThePluginRegistersTheSuite(t *testing.T) {
	build, err := register.GetPlugin(Name)
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := build(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := plugin.BuildAnalyzers()
	if err != nil || len(list) != 3 || plugin.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("%d analyzers, mode %s, %v", len(list), plugin.GetLoadMode(), err)
	}
}

func TestSettingsAreTheAnalyzersFlags(t *testing.T) {
	plugin, err := New(map[string]any{
		"detachedspawn": map[string]any{"tests": true},
		"loopblock": map[string]any{
			"depth": 5, "kinds": []any{"+stat", "-sleep"},
			"declare": []any{"a.b/c.D blocking kinds=net,db", "a.b/c.E nonblocking"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	list, _ := plugin.BuildAnalyzers()
	got := make(map[string]string)
	for _, a := range list {
		for _, name := range []string{"tests", "depth", "kinds", "declare"} {
			if f := a.Flags.Lookup(name); f != nil {
				got[a.Name+"."+name] = f.Value.String()
			}
		}
	}
	for name, want := range map[string]string{"detachedspawn.tests": "true", "loopblock.tests": "false", "loopblock.depth": "5"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if !strings.Contains(got["loopblock.kinds"], "stat") || strings.Count(got["loopblock.declare"], "a.b/c.") != 2 {
		t.Errorf("kinds %q, declare %q", got["loopblock.kinds"], got["loopblock.declare"])
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	for want, settings := range map[string]any{
		`there is no analyzer "lopblock"`:      map[string]any{"lopblock": map[string]any{}},
		`loopblock has no setting "kind"`:      map[string]any{"loopblock": map[string]any{"kind": "stat"}},
		`loopblock.kinds: unknown kind "x"`:    map[string]any{"loopblock": map[string]any{"kinds": []any{"x"}}},
		`loopblock.depth: `:                    map[string]any{"loopblock": map[string]any{"depth": "deep"}},
		`detachedspawn.tests: map[a:1] is not`: map[string]any{"detachedspawn": map[string]any{"tests": map[string]any{"a": 1}}},
		`decoding settings`:                    "loopblock",
	} {
		if _, err := New(settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", settings, err, want)
		}
	}
}

const fixture = `
-- go.mod --
module example.com/m

go 1.26
-- .golangci.yml --
version: "2"
linters:
  default: none
  enable: [holdfast]
  settings:
    custom:
      holdfast:
        type: module
        settings:
          loopblock:
            kinds: [+stat]
issues:
  uniq-by-line: false
  max-same-issues: 0
  max-issues-per-linter: 0
-- help/help.go --
package help

import (
	"os"
	"os/exec"
)

// Detach puts a child out of reach.
func Detach() *exec.Cmd { return exec.Command("setsid", "server") }

// Save waits for a disk.
func Save() { os.WriteFile("state", nil, 0o600) }

// Ask asks the system.
func Ask() { os.Stat("state") }
-- help/help_unix.go --
//go:build unix

package help

import "syscall"

// Attributes start a session.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
-- help/help_windows.go --
package help

import "syscall"

// Attributes start a group.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
-- use/use.go --
package use

import (
	"os/exec"

	"example.com/m/help"
)

var attributes = help.Attributes()

type saver interface{ save() }

type disk struct{}

func (disk) save() { help.Save() }

//holdfast:loop
func loop(s saver) {
	s.save()
	help.Ask()
}

// detached-spawn: ok — nothing is started here at all
var _ = loop

// detached-spawn: ok — the updater must outlive this program
var command = exec.Command("setsid", "updater")
`

// golangci-lint with the plugin, built as "golangci-lint custom" does it, finds
// what holdfast check finds. From an empty build cache that took seven minutes on
// a busy 2-core machine, so it has a variable of its own and .ci/run leaves it out.
func TestGolangciLintFindsWhatCheckFinds(t *testing.T) {
	if os.Getenv("HOLDFAST_GOLANGCI") == "" {
		t.Skip("it builds golangci-lint: HOLDFAST_GOLANGCI=1 runs it")
	}
	start := time.Now()
	lint := buildGolangciLint(t)
	t.Logf("golangci-lint was built in %v", time.Since(start).Round(time.Second))
	dir := write(t, fixture)
	t.Setenv("GOLANGCI_LINT_CACHE", t.TempDir())
	ours := check(t, dir)
	for _, with := range []string{"an empty cache", "its cache"} {
		theirs := lintRun(t, lint, dir)
		if len(ours) < 5 || !slices.Equal(ours, theirs) {
			t.Errorf("holdfast check finds\n%s\ngolangci-lint with %s finds\n%s", strings.Join(ours, "\n"), with, strings.Join(theirs, "\n"))
		}
	}
}

func write(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, file.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildGolangciLint takes the steps of "golangci-lint custom" on the source from
// the module proxy in place of a git clone.
func buildGolangciLint(t *testing.T) string {
	t.Helper()
	var source struct{ Dir string }
	if err := json.Unmarshal(run(t, t.TempDir(), 0, "go", "mod", "download", "-json", golangciLint), &source); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyTree(t, source.Dir, dir)
	own, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	plugins := "package main\n\nimport _ \"github.com/holdfast-go/holdfast/analyzers/golangci\"\n"
	if err := os.WriteFile(filepath.Join(dir, "cmd", "golangci-lint", "plugins.go"), []byte(plugins), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, dir, 0, "go", "mod", "edit", "-require=github.com/holdfast-go/holdfast@v0.0.0", "-replace=github.com/holdfast-go/holdfast="+own)
	program := filepath.Join(dir, "custom-gcl")
	run(t, dir, 0, "go", "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/golangci-lint")
	return program
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// check returns what holdfast check finds.
func check(t *testing.T, dir string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "holdfast")
	run(t, ".", 0, "go", "build", "-o", program, "github.com/holdfast-go/holdfast/cmd/holdfast")
	var report struct {
		Findings []struct {
			File, Message string
			Line, Column  int
		}
	}
	out := run(t, dir, 1, program, "check", "-format=json", "-platforms=linux", "-loopblock.kinds=+stat")
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range report.Findings {
		found = append(found, fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message))
	}
	slices.Sort(found)
	return found
}

// lintRun returns what golangci-lint finds. It puts the analyzer's name before
// the message.
func lintRun(t *testing.T, program, dir string) []string {
	t.Helper()
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename     string
				Line, Column int
			}
		}
	}
	out := run(t, dir, 1, program, "run", "--output.json.path=stdout", "--show-stats=false", "./...")
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var found []string
	for _, issue := range report.Issues {
		_, message, _ := strings.Cut(issue.Text, ": ")
		found = append(found, fmt.Sprintf("%s:%d:%d: %s", filepath.ToSlash(issue.Pos.Filename), issue.Pos.Line, issue.Pos.Column, message))
	}
	slices.Sort(found)
	return found
}

// run returns what a program prints; it must end with the given exit code.
func run(t *testing.T, dir string, code int, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOOS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, &stderr)
	}
	return out
}
