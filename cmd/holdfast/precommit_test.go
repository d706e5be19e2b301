package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The hooks of .pre-commit-hooks.yaml, with the steps that pre-commit takes (its
// languages/golang.py and staged_files_only.py): go install ./... into a GOPATH
// of its own, what is not staged put aside, file names after the arguments.
//
// With HOLDFAST_E2E=1 the real pre-commit takes them, at git commit.
func TestPreCommitHooks(t *testing.T) {
	if os.Getenv("HOLDFAST_E2E") != "" {
		t.Run("pre-commit", func(t *testing.T) { testHooks(t, newRealHooks(t)) })
	}
	t.Run("its steps", func(t *testing.T) { testHooks(t, newHookSteps(t)) })
}

// A hookRunner runs one hook in a repository, as a commit would. It returns
// what is printed, and whether the commit goes ahead.
type hookRunner interface {
	run(r *repo, id string) (output string, passed bool)
}

const (
	detaches = "package %s\n\nimport \"os/exec\"\n\nvar command = exec.Command(\"setsid\", \"server\")%s\n"
	accepted = "detached-spawn example.com/m/b var command `exec.Command(\"setsid\", \"server\")` #1 — until the supervisor lands\n"
	marked   = " // detached-spawn: ok — the updater must outlive this program"
)

func testHooks(t *testing.T, runner hookRunner) {
	r := newRepo(t)
	r.write("go.mod", "module example.com/m\n\ngo 1.26\n")
	r.write("a/a.go", "package a\n")
	r.write("b/b.go", fmt.Sprintf(detaches, "b", ""))
	r.git("add", ".")
	r.git("commit", "-q", "--no-verify", "-m", "start")

	expect := func(what, id string, want bool, lines ...string) {
		t.Helper()
		output, passed := runner.run(r, id)
		if passed != want {
			t.Fatalf("%s: passed %t, want %t:\n%s", what, passed, want, output)
		}
		for _, line := range lines {
			if !strings.Contains(output, line) {
				t.Errorf("%s: not printed: %q:\n%s", what, line, output)
			}
		}
	}
	r.write("README.md", "Read me.\n")
	r.git("add", ".")
	expect("words alone", "holdfast", true)

	r.write("a/a.go", "package a // staged\n")
	r.git("add", ".")
	r.write("a/a.go", fmt.Sprintf(detaches, "a", ""))
	expect("a detached spawn that is not staged", "holdfast", true)
	if text := r.read("a/a.go"); !strings.Contains(text, "setsid") {
		t.Errorf("what was not staged is lost: %s", text)
	}

	r.git("add", ".")
	expect("a detached spawn", "holdfast", false, "a/a.go:5:", "(detached-spawn)", "1 finding: 1 package")

	r.write("a/a.go", fmt.Sprintf(detaches, "a", marked))
	r.git("add", ".")
	expect("a marker with a reason", "holdfast", true)
	expect("the whole module", "holdfast-full", false, "b/b.go:5:", "1 finding: 2 packages")

	r.write("baseline/holdfast.baseline", accepted)
	r.git("add", ".")
	expect("the baseline alone", "holdfast", true)
	r.git("commit", "-q", "--no-verify", "-m", "accept")
	r.git("rm", "-q", "-r", "b")
	expect("a package deleted, and its entry left", "holdfast", false, "1 stale baseline entry")
	r.git("rm", "-q", "-r", "baseline")
	expect("the whole module without it", "holdfast-full", true)
}

// A repo is a git repository with a working tree.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git command")
	}
	r := &repo{t: t, dir: t.TempDir(), env: append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GOWORK=off",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com")}
	r.git("init", "-q", "-b", "main")
	return r
}

// git returns what a git command prints; it must succeed.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	out, ok := r.run(r.env, "git", args...)
	if !ok {
		r.t.Fatalf("git %s: %s", strings.Join(args, " "), out)
	}
	return out
}

// run returns what a program prints, and whether it succeeded.
func (r *repo) run(env []string, name string, args ...string) (string, bool) {
	r.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return string(out), err == nil
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// hookSteps takes pre-commit's steps.
type hookSteps struct {
	hooks map[string]hook
	bin   string
}

// A hook is what this test knows of pre-commit's manifest.
type hook struct {
	ID, Entry, Language, Files string
	AlwaysRun                  bool  `yaml:"always_run"`
	PassFilenames              *bool `yaml:"pass_filenames"`
	RequireSerial              bool  `yaml:"require_serial"`
}

func newHookSteps(t *testing.T) *hookSteps {
	manifest, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []hook
	if err := yaml.Unmarshal(manifest, &hooks); err != nil {
		t.Fatal(err)
	}
	gopath := t.TempDir()
	steps := &hookSteps{hooks: make(map[string]hook), bin: filepath.Join(gopath, "bin")}
	for _, h := range hooks {
		if h.Language != "golang" || !h.RequireSerial {
			t.Errorf("hook %s: language %s, require_serial %t", h.ID, h.Language, h.RequireSerial)
		}
		steps.hooks[h.ID] = h
	}
	install := exec.Command("go", "install", "./...")
	install.Dir = filepath.Join("..", "..")
	install.Env = append(os.Environ(), "GOPATH="+gopath, "GOBIN=", "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	return steps
}

func (s *hookSteps) run(r *repo, id string) (string, bool) {
	h, ok := s.hooks[id]
	if !ok {
		r.t.Fatalf("there is no hook %s", id)
	}
	files := s.files(r, h)
	if len(files) == 0 && !h.AlwaysRun {
		return "(no files to check) Skipped", true
	}
	patch := r.git("diff", "--ignore-submodules", "--binary", "--no-color", "--no-ext-diff")
	if patch != "" {
		r.git("checkout", "--", ".")
		defer s.restore(r, patch)
	}
	args := strings.Fields(h.Entry)
	if h.PassFilenames == nil || *h.PassFilenames {
		args = append(args, files...)
	}
	env := append(slices.Clone(r.env), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return r.run(env, filepath.Join(s.bin, args[0]), args[1:]...)
}

// files returns what the hook is told of.
func (s *hookSteps) files(r *repo, h hook) []string {
	pattern := regexp.MustCompile(h.Files)
	var files []string
	for name := range strings.SplitSeq(r.git("diff", "--staged", "--name-only", "--no-ext-diff", "-z", "--diff-filter=ACMRTUXB"), "\x00") {
		if name != "" && pattern.MatchString(name) {
			files = append(files, name)
		}
	}
	return files
}

func (s *hookSteps) restore(r *repo, patch string) {
	cmd := exec.Command("git", "apply", "--whitespace=nowarn")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git apply: %v\n%s", err, out)
	}
}

// realHooks is the program pre-commit with this repository's hooks.
type realHooks struct {
	source *repo // the working tree, committed
	home   string
}

func newRealHooks(t *testing.T) *realHooks {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Fatalf("HOLDFAST_E2E needs pre-commit: %v", err)
	}
	source := newRepo(t)
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = filepath.Join("..", "..")
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range bytes.SplitSeq(names, []byte{0}) {
		text, err := os.ReadFile(filepath.Join(list.Dir, string(name)))
		if err == nil { // else it is deleted
			source.write(string(name), string(text))
		}
	}
	source.git("add", "-f", ".")
	source.git("commit", "-q", "-m", "hooks")
	return &realHooks{source, t.TempDir()}
}

func (h *realHooks) run(r *repo, id string) (string, bool) {
	rev := strings.TrimSpace(h.source.git("rev-parse", "HEAD"))
	config := fmt.Sprintf("repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: %s\n", h.source.dir, rev, id)
	r.write(".git/hooks.yaml", config)
	env := append(slices.Clone(r.env), "PRE_COMMIT_HOME="+h.home, "GOMODCACHE="+goEnv(r.t, "GOMODCACHE"))
	if out, ok := r.run(env, "pre-commit", "install", "-f", "-c", ".git/hooks.yaml"); !ok {
		r.t.Fatalf("pre-commit install: %s", out)
	}
	out, passed := r.run(env, "git", "commit", "-m", "try "+id)
	if passed { // as if nothing had been tried
		r.git("reset", "-q", "--soft", "HEAD~1")
	}
	return out, passed
}
