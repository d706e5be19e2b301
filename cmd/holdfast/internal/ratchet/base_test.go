package ratchet

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// runGit runs git in dir, away from the user's configuration.
func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// commit writes a baseline into a repository and commits it.
func commit(t *testing.T, dir string, entries ...Entry) {
	t.Helper()
	write(t, filepath.Join(dir, "go.mod"), "module p\n")
	if err := Save(filepath.Join(dir, DefaultFile), entries); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "--allow-empty", "-m", "change")
}

func repositoryWith(t *testing.T, entries ...Entry) string {
	t.Helper()
	dir := t.TempDir()
	runGit(t, dir, "init")
	commit(t, dir, entries...)
	return dir
}

func TestLoadBaseReadsTheFileOfTheRevision(t *testing.T) {
	a, b := entry(t, "p", "f", "a", 1), entry(t, "p", "f", "b", 1)
	dir := repositoryWith(t)
	commit(t, dir, a)
	commit(t, dir, a, b)
	absolute := filepath.Join(dir, filepath.FromSlash(DefaultFile))
	for rev, want := range map[string]int{"HEAD": 2, "HEAD~1": 1, "HEAD~2": 0} {
		for _, file := range []string{DefaultFile, absolute} {
			entries, err := LoadBase(t.Context(), dir, rev, file)
			if err != nil || len(entries) != want {
				t.Errorf("%s of %s: %v, %v; want %d", file, rev, entries, err, want)
			}
		}
	}
}

func TestLoadBaseOfAModuleBelowTheRepository(t *testing.T) {
	dir := t.TempDir()
	runGit(t, dir, "init")
	module := filepath.Join(dir, "a module")
	commit(t, module, entry(t, "p", "f", "a", 1))
	entries, err := LoadBase(t.Context(), module, "HEAD", DefaultFile)
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v", entries, err)
	}
}

func TestAnUnreadableBaseIsAnErrorThatSaysWhatToDo(t *testing.T) {
	dir := repositoryWith(t)
	tests := []struct{ name, dir, rev, want string }{
		{"no name", dir, "", "not the name of a git revision"},
		{"an option", dir, "--output=x", "not the name of a git revision"},
		{"unknown branch", dir, "origin/main", `"git fetch origin main:refs/remotes/origin/main"`},
		{"unknown name", dir, "v1.2.3", `not a commit of this repository: check its name, or get it with "git fetch origin"`},
		{"unknown commit", dir, strings.Repeat("ab", 20), `"git fetch origin ` + strings.Repeat("ab", 20) + `"`},
		{"no repository", t.TempDir(), "HEAD", "not a git working tree"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			entries, err := LoadBase(t.Context(), test.dir, test.rev, DefaultFile)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v; want an error with %q", entries, err, test.want)
			}
		})
	}
}

func TestAShallowCloneSaysHowToGetTheBase(t *testing.T) {
	a, b := entry(t, "p", "f", "a", 1), entry(t, "p", "f", "b", 1)
	origin := repositoryWith(t, a)
	runGit(t, origin, "checkout", "-b", "topic")
	commit(t, origin, a, b)
	for rev, advice := range map[string]string{
		"HEAD~1":      `"git fetch --unshallow origin"`,
		"origin/main": `"git fetch --depth=1 origin main:refs/remotes/origin/main"`,
	} {
		clone := filepath.Join(t.TempDir(), "clone")
		runGit(t, t.TempDir(), "clone", "--depth", "1", "--branch", "topic", "file://"+filepath.ToSlash(origin), clone)
		if entries, err := LoadBase(t.Context(), clone, "HEAD", DefaultFile); err != nil || len(entries) != 2 {
			t.Fatalf("HEAD: %v, %v", entries, err)
		}
		entries, err := LoadBase(t.Context(), clone, rev, DefaultFile)
		if err == nil || !strings.Contains(err.Error(), "shallow clone") || !strings.Contains(err.Error(), advice) {
			t.Fatalf("%s: %v, %v; want an error with %s", rev, entries, err, advice)
		}
		runGit(t, clone, strings.Fields(strings.Trim(advice, `"`))[1:]...)
		if entries, err := LoadBase(t.Context(), clone, rev, DefaultFile); err != nil || len(entries) != 1 {
			t.Errorf("%s, after the advice: %v, %v", rev, entries, err)
		}
	}
}

func TestABaseThatIsNoBaselineIsAnError(t *testing.T) {
	dir := repositoryWith(t)
	write(t, filepath.Join(dir, DefaultFile), "prose\n")
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-m", "prose")
	if _, err := LoadBase(t.Context(), dir, "HEAD", DefaultFile); err == nil || !strings.HasPrefix(err.Error(), "HEAD:baseline/holdfast.baseline:1: ") {
		t.Errorf("prose: %v", err)
	}
	if _, err := LoadBase(t.Context(), dir, "HEAD", "baseline"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	link := runGit(t, dir, "rev-parse", "HEAD:"+DefaultFile) // a blob is all that a link is to git
	runGit(t, dir, "update-index", "--add", "--cacheinfo", "120000,"+strings.TrimSpace(link)+",link")
	runGit(t, dir, "commit", "-m", "link")
	if _, err := LoadBase(t.Context(), dir, "HEAD", "link"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a symbolic link: %v", err)
	}
}

func TestBaselinesOfTwoBranchesMergeAsText(t *testing.T) {
	var shared []Entry
	for _, expr := range []string{"a", "b", "c", "d", "e"} {
		shared = append(shared, entry(t, "p", "f", expr, 1))
	}
	ours, theirs := entry(t, "p", "a", "a", 1), entry(t, "p", "z", "a", 1)
	dir := repositoryWith(t, shared...)
	runGit(t, dir, "checkout", "-b", "theirs")
	commit(t, dir, slices.Concat(shared[:2], shared[3:], []Entry{theirs})...) // prunes one, adds one
	runGit(t, dir, "checkout", "main")
	commit(t, dir, append(shared, ours)...)
	runGit(t, dir, "merge", "--no-edit", "theirs")

	entries, err := Load(filepath.Join(dir, DefaultFile))
	if err != nil || len(entries) != 6 {
		t.Fatalf("after the merge: %v, %v", entries, err)
	}
	if growth := Compare(shared, entries); len(growth.Grown) != 2 {
		t.Errorf("grown: %v", growth.Grown)
	}
}

func TestAConflictIsFoundBeforeItIsResolvedAndGoneAfterKeepingBothSides(t *testing.T) {
	dir := repositoryWith(t)
	runGit(t, dir, "checkout", "-b", "theirs")
	commit(t, dir, entry(t, "p", "f", "a", 1), entry(t, "p", "f", "c", 1))
	runGit(t, dir, "checkout", "main")
	commit(t, dir, entry(t, "p", "f", "b", 1), entry(t, "p", "f", "d", 1))
	merge := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "merge", "theirs")
	merge.Dir = dir
	if out, err := merge.CombinedOutput(); err == nil {
		t.Fatalf("the merge has no conflict: %s", out)
	}

	path := filepath.Join(dir, DefaultFile)
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "unresolved merge conflict") {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "detached-spawn") {
			kept = append(kept, line)
		}
	}
	write(t, path, strings.Join(kept, ""))
	if entries, err := Load(path); err != nil || len(entries) != 4 {
		t.Errorf("with both sides: %v, %v", entries, err)
	}
}

func TestRootIsThatOfTheWorkspaceOrTheModule(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "m")
	write(t, filepath.Join(module, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	write(t, filepath.Join(module, "sub", "sub.go"), "package sub\n")
	if root, err := Root(t.Context(), filepath.Join(module, "sub")); err != nil || root != module {
		t.Errorf("in a module: %q, %v", root, err)
	}
	write(t, filepath.Join(dir, "go.work"), "go 1.26\n\nuse ./m\n")
	if root, err := Root(t.Context(), module); err != nil || root != dir {
		t.Errorf("in a workspace: %q, %v", root, err)
	}
	t.Setenv("GOWORK", "off")
	if root, err := Root(t.Context(), module); err != nil || root != module {
		t.Errorf("with GOWORK=off: %q, %v", root, err)
	}
	if root, err := Root(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "not in a Go module") {
		t.Errorf("outside: %q, %v", root, err)
	}
}
