package initcmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func entry(indent string) string { return indent + "- repo: new\n" }

func TestAHookIsAddedAndNothingElseChanges(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"indented", "repos:\n  - repo: a\n", "repos:\n  - repo: a\n  - repo: new\n"},
		{"not indented", "repos:\n- repo: a\n", "repos:\n- repo: a\n- repo: new\n"},
		{"widely spaced", "repos:\n-   repo: a\n    rev: '1'\n", "repos:\n-   repo: a\n    rev: '1'\n- repo: new\n"},
		{"no line break at the end", "repos:\n- repo: a", "repos:\n- repo: a\n- repo: new\n"},
		{"blank lines at the end", "repos:\n- repo: a\n\n\n", "repos:\n- repo: a\n- repo: new\n\n\n"},
		{"a comment at the end", "repos:\n- repo: a\n# more to come\n", "repos:\n- repo: a\n# more to come\n- repo: new\n"},
		{"a key after it", "repos:\n- repo: a\n\n# of ci\nci: {}\n", "repos:\n- repo: a\n- repo: new\n\n# of ci\nci: {}\n"},
		{"a key before it", "ci: {}\nrepos:\n- repo: a\n", "ci: {}\nrepos:\n- repo: a\n- repo: new\n"},
		{"a literal at the end", "repos:\n- repo: a\n  x: |\n    # text\n", "repos:\n- repo: a\n  x: |\n    # text\n- repo: new\n"},
		{"Windows line breaks", "repos:\r\n- repo: a\r\n", "repos:\r\n- repo: a\r\n- repo: new\r\n"},
	}
	for _, test := range tests {
		after, err := appendHook([]byte(test.before), entry)
		if err != nil || string(after) != test.after {
			t.Errorf("%s: %q, %v; want %q", test.name, after, err, test.after)
		}
	}
}

func TestAHookIsNotAddedWhereItIsNotSafe(t *testing.T) {
	for _, text := range []string{
		"", "repos: []\n", "repos: [{repo: a}]\n", "- repo: a\n", "repos:\n", "ci: {}\n",
		"repos:\n- repo: a\n...\n", "repos:\n- repo: a\n---\nrepos: []\n", "repos:\n\t- repo: a\n", "repos: &x\n- repo: a\nother: *x\n",
		"repos:\n- repo: a\n  x: |\n\n    text\n\n", // blank lines belong to nothing here, but look as if
	} {
		after, err := appendHook([]byte(text), entry)
		if err == nil && !addsOne([]byte(text), after, entry("")) {
			t.Errorf("%q became %q", text, after)
		}
	}
	if _, err := appendHook([]byte("repos:\n- repo: a\n...\n"), entry); err == nil {
		t.Error("something was added after the document's end")
	}
}

// A project is a git repository with a module that has the tool line.
func newProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text := "module m\n\ngo 1.26\n\ntool " + program + "\n\nrequire " + modulePath + " v1.2.3\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	t.Setenv("GOWORK", "off")
	return dir
}

func TestNothingIsWrittenAgainstAnAnswer(t *testing.T) {
	for _, test := range []struct {
		name       string
		args       []string
		yes, asked bool
		written    bool
	}{
		{"yes", nil, true, true, true},
		{"no", nil, false, true, false},
		{"nobody there", nil, false, false, false},
		{"-write", []string{"-write"}, false, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newProject(t)
			var question string
			c := Command{Version: "v1.2.3", Dir: dir, Confirm: func(q string) (bool, bool) {
				question = q
				return test.yes, test.asked
			}}
			var stdout, stderr bytes.Buffer
			if code := c.Run(t.Context(), test.args, &stdout, &stderr); code != 0 {
				t.Fatalf("exit code %d: %s", code, &stderr)
			}
			_, err := os.Stat(filepath.Join(dir, hookFile))
			if written := err == nil; written != test.written {
				t.Errorf("written %t: %s", written, &stderr)
			}
			if (question == "") == (test.args == nil) {
				t.Errorf("the question was %q", question)
			}
			if !strings.Contains(stdout.String(), "+    rev: v1.2.3\n") {
				t.Errorf("no diff:\n%s", &stdout)
			}
		})
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := &project{dir: filepath.Dir(file)}
	if err := (proposal{file: file, after: []byte("ours")}).carryOut(in); !errors.Is(err, os.ErrExist) {
		t.Errorf("a new file over one that has come meanwhile: %v", err)
	}
	if err := (proposal{file: file, before: []byte("old"), after: []byte("ours")}).carryOut(in); !errors.Is(err, errChanged) {
		t.Errorf("a change of what has changed meanwhile: %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "theirs" {
		t.Errorf("the file has %q", text)
	}
	if err := (proposal{file: file, before: []byte("theirs"), after: []byte("both")}).carryOut(in); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	names, err := os.ReadDir(in.dir)
	if err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

func TestOnlyReleasesAreAskedForByVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v1.2.3-rc.1": "v1.2.3-rc.1", "(devel)": "latest", "": "latest",
		"v0.0.0-20260102030405-abcdefabcdef": "latest", "v1.2.3+dirty": "latest",
	} {
		if got := release(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

// What we tell others to use is what we use.
func TestTheWorkflowPinsWhatOursDoes(t *testing.T) {
	ours, err := os.ReadFile(filepath.Join("..", "..", "..", "..", ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{checkoutAction, setupGoAction} {
		if !bytes.Contains(ours, []byte("uses: "+action+"\n")) {
			t.Errorf("our own workflow does not use %s", action)
		}
	}
}
