package lsp_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/lsptest"
)

// An editorTest is a real editor that runs a script on loopModule.
type editorTest struct {
	dir  string
	env  []string
	temp string
}

// newEditorTest puts a holdfast into PATH that is this test binary, and leaves the
// editor no settings but its own.
func newEditorTest(t *testing.T) *editorTest {
	t.Helper()
	if os.Getenv("HOLDFAST_E2E") != "1" {
		t.Skip("HOLDFAST_E2E=1 runs real editors")
	}
	e := &editorTest{dir: t.TempDir(), temp: t.TempDir()}
	for _, f := range txtar.Parse([]byte(loopModule)).Files {
		write(t, filepath.Join(e.dir, f.Name), string(f.Data))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, home := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\nshift\n" + asCommand + "=1 exec '" + self + "' \"$@\"\n" // without the word lsp
	if err := os.WriteFile(filepath.Join(bin, "holdfast"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	e.env = append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home,
		"GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOFLAGS=",
		"TMPDIR="+e.temp, "LC_ALL=C.UTF-8",
	)
	return e
}

func goEnv(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// run runs the editor, which must end by itself.
func (e *editorTest) run(t *testing.T, output string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*lsptest.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = e.dir, append(e.env, "HOLDFAST_TEST_OUTPUT="+output)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = lsptest.Patience
	err := cmd.Run()
	said, _ := os.ReadFile(output)
	if err != nil || !bytes.Contains(append(said, out.Bytes()...), []byte("saw nothing")) {
		t.Errorf("%v\n%s\n%s", err, said, &out)
	}
	// An editor may kill a server that is slow to end. The next one tidies up.
	t.Setenv("TMPDIR", e.temp)
	command().Run(t.Context(), nil, strings.NewReader(""), io.Discard, io.Discard)
	left, err := filepath.Glob(filepath.Join(e.temp, "holdfast-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "editors", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNeovim(t *testing.T) {
	e := newEditorTest(t)
	nvim := program(t, "nvim")
	e.run(t, filepath.Join(t.TempDir(), "output"),
		nvim, "--headless", "-n", "-u", script(t, "init.lua"), "main.go", "-c", "luafile "+script(t, "neovim.lua"))
}

// TestEmacs runs Eglot, which takes one server: the proxy with gopls.
func TestEmacs(t *testing.T) {
	e := newEditorTest(t)
	emacs := program(t, "emacs")
	server := gopls(t)
	settings := filepath.Join(t.TempDir(), "init.el")
	write(t, settings, `(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(go-mode "holdfast" "lsp" "-wrap" "`+server+`")))
`)
	e.env = append(e.env, "GOPLSCACHE="+t.TempDir())
	e.run(t, filepath.Join(t.TempDir(), "output"),
		emacs, "--no-init-file", "--fg-daemon="+filepath.Join(t.TempDir(), "socket"), "-l", settings, "-l", script(t, "emacs.el"))
}
