package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The steps of action.yml, run as GitHub's runner does, on what actions/checkout
// leaves: a shallow clone of one commit.

func TestActionHoldsAPullRequestAgainstWhatItMergesInto(t *testing.T) {
	g := newGitHub(t)
	g.origin.write("baseline/holdfast.baseline", accepted)
	g.commit("accept one")
	g.branch("more")
	g.origin.write("a/a.go", fmt.Sprintf(detaches, "a", ""))
	g.origin.write("baseline/holdfast.baseline", strings.Replace(accepted, "/b var", "/a var", 1)+accepted)
	g.commit("accept another")
	g.merge("more")
	g.origin.write("b/b.go", "package b\n")
	g.origin.write("baseline/holdfast.baseline", "")
	g.commit("repair main meanwhile") // which the merge has not seen

	run := g.checkout("refs/pull/7/merge", "main").run(map[string]string{"sarif-file": "out.sarif"})
	run.expect(1, "1 new baseline entry", "(1 at base)", "::error file=baseline/holdfast.baseline,line=1,")
	if !strings.Contains(run.file("summary"), "1 new baseline entry") {
		t.Errorf("the summary of the step is %q", run.file("summary"))
	}
	var sarif struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal([]byte(run.job.read("out.sarif")), &sarif); err != nil || len(sarif.Runs) != 1 || len(sarif.Runs[0].Results) == 0 {
		t.Errorf("SARIF: %v: %+v", err, sarif)
	}
	if got := run.outputs["check"]["exit-code"]; got != "1" {
		t.Errorf("output exit-code is %q", got)
	}
}

func TestActionComparesABranchWithItsMergeBase(t *testing.T) {
	g := newGitHub(t)
	g.origin.write("baseline/holdfast.baseline", accepted)
	g.commit("accept one")
	g.branch("words")
	g.origin.write("README.md", "Read me.\n")
	g.commit("words")
	g.origin.git("checkout", "-q", "main")
	g.origin.write("b/b.go", "package b\n")
	g.origin.write("baseline/holdfast.baseline", "")
	g.commit("repair")

	job := g.checkout("refs/heads/words", "main")
	job.git("fetch", "-q", "--unshallow", "origin")
	job.run(nil).expect(0, "1 accepted in 1 package (1 at base)")
}

func TestActionWithoutAPullRequest(t *testing.T) {
	g := newGitHub(t)
	g.origin.write("b/b.go", "package b\n")
	g.commit("repair")
	run := g.checkout("refs/heads/main", "").run(nil)
	run.expect(0, "clean: 2 packages on linux, darwin, windows; ratchet: no exceptions")
	if strings.Contains(run.log, "at base") {
		t.Error("a push was compared with something")
	}
	g.checkout("refs/heads/main", "").run(map[string]string{"base": "main~1"}).expect(2, "::error title=holdfast could not judge::the base main~1 is neither here")
	g.checkout("refs/heads/main", "").run(map[string]string{"base": "origin/main"}).expect(0, "(0 at base)")
	g.checkout("refs/heads/main", "main").run(map[string]string{"base": "none"}).expect(0, "no exceptions")
	g.checkout("refs/heads/main", "").run(map[string]string{"base": "--upload-pack=touch ran"}).expect(2, "is no revision")
}

func TestActionSaysWhatItCouldNotJudge(t *testing.T) {
	g := newGitHub(t)
	job := g.checkout("refs/heads/main", "")
	job.run(map[string]string{"packages": "./none"}).expect(2, "::error title=holdfast could not judge::the pattern ./none names no folder")
	job.run(map[string]string{"packages": "./$(touch ran) `touch ran` *"}).expect(2, "::error ")
	if _, err := os.Stat(filepath.Join(job.dir, "ran")); err == nil {
		t.Error("the shell ran what an input says")
	}
	job.run(map[string]string{"packages": "./a\n./b", "args": "-platforms=linux\n-v"}).expect(1, "2 packages on linux;")
}

func TestActionAnnotatesWithinGitHubsLimits(t *testing.T) {
	g := newGitHub(t)
	for i := range 30 {
		g.origin.write(fmt.Sprintf("a/a%d.go", i), strings.Replace(fmt.Sprintf(detaches, "a", ""), "command", fmt.Sprintf("command%d", i), 1))
	}
	g.commit("thirty")
	run := g.checkout("refs/heads/main", "").run(nil)
	run.expect(1, "21 more problems without an annotation")
	if n := strings.Count("\n"+run.log, "\n::error "); n != 10 {
		t.Errorf("%d annotations", n)
	}
	if n := strings.Count(run.file("summary"), "\n| "); n != 33 { // with the head of the table
		t.Errorf("the summary has %d rows", n)
	}
}

func TestActionPrefersTheToolOfGoMod(t *testing.T) {
	g := newGitHub(t)
	source, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	g.origin.write("sub/go.mod", toolModule(t, source))
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	g.origin.write("sub/go.sum", string(sums))
	g.origin.write("sub/c/c.go", fmt.Sprintf(detaches, "c", ""))
	g.commit("a tool line")
	run := g.checkout("refs/heads/main", "").run(map[string]string{"working-directory": "sub"})
	run.expect(1, "::error file=sub/c/c.go,line=5,")
	if program := run.outputs["program"]["path"]; strings.HasPrefix(program, run.temp) || program == "" {
		t.Errorf("it ran %q, not what go.mod says", program)
	}
}

// toolModule is a go.mod file with holdfast, from source, as a tool.
func toolModule(t *testing.T, source string) string {
	own, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^tool .*\n`).ReplaceAllString(string(own), "")
	text = strings.Replace(text, "module github.com/holdfast-go/holdfast\n", "module example.com/sub\n", 1)
	return text + "\nrequire github.com/holdfast-go/holdfast v0.0.0\n\nreplace github.com/holdfast-go/holdfast => " + source +
		"\n\ntool github.com/holdfast-go/holdfast/cmd/holdfast\n"
}

// A gitHub is a repository that others clone.
type gitHub struct {
	t      *testing.T
	origin *repo
	action action
}

func newGitHub(t *testing.T) *gitHub {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash, or it may be one that knows no Windows paths")
	}
	g := &gitHub{t: t, origin: newRepo(t), action: readAction(t)}
	g.origin.git("config", "uploadpack.allowAnySHA1InWant", "true") // as GitHub has it
	g.origin.write("go.mod", "module example.com/m\n\ngo 1.26\n")
	g.origin.write("a/a.go", "package a\n")
	g.origin.write("b/b.go", fmt.Sprintf(detaches, "b", ""))
	g.commit("start")
	return g
}

func (g *gitHub) commit(message string) {
	g.t.Helper()
	g.origin.git("add", ".")
	g.origin.git("commit", "-q", "-m", message)
}

func (g *gitHub) branch(name string) { g.origin.git("checkout", "-q", "-b", name) }

// merge makes the commit that GitHub would merge, and goes back to main.
func (g *gitHub) merge(branch string) {
	g.t.Helper()
	g.origin.git("checkout", "-q", "--detach", "main")
	g.origin.git("merge", "-q", "--no-ff", "-m", "merge", branch)
	g.origin.git("update-ref", "refs/pull/7/merge", "HEAD")
	g.origin.git("checkout", "-q", "main")
}

// A job is a runner with a checkout.
type job struct {
	*repo
	action action
	temp   string
}

// checkout clones a ref as actions/checkout does; base is the branch that a pull
// request is for.
func (g *gitHub) checkout(ref, base string) *job {
	g.t.Helper()
	j := &job{repo: newRepo(g.t), action: g.action, temp: g.t.TempDir()}
	j.git("remote", "add", "origin", "file://"+filepath.ToSlash(g.origin.dir))
	local := strings.Replace(strings.Replace(ref, "refs/", "refs/remotes/", 1), "/heads/", "/origin/", 1)
	j.git("fetch", "-q", "--no-tags", "--depth=1", "origin", "+"+ref+":"+local)
	j.git("checkout", "-q", "--force", local)
	j.write(".git/event.json", "{}")
	j.env = slices.DeleteFunc(j.env, func(v string) bool { return strings.HasPrefix(v, "GITHUB_") })
	j.env = append(j.env, "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+j.dir, "GITHUB_REF="+ref, "GITHUB_BASE_REF="+base,
		"GITHUB_EVENT_PATH="+filepath.Join(j.dir, ".git", "event.json"), "RUNNER_TEMP="+j.temp)
	return j
}

// An action is what this test knows of action.yml.
type action struct {
	path   string // folder
	Inputs map[string]struct {
		Description, Default string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Name, Shell, Run, Uses, If string
	WorkingDirectory               string `yaml:"working-directory"`
	Env                            map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(path, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	a := action{path: path}
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if a.Runs.Using != "composite" {
		t.Fatalf("the action runs using %q", a.Runs.Using)
	}
	for name, input := range a.Inputs {
		if input.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	for _, s := range a.Runs.Steps {
		if s.Uses == "" && (s.Shell != "bash" || strings.Contains(s.Run, "${{")) {
			t.Errorf("step %s: shell %q; expressions belong into env, where no shell reads them", s.ID, s.Shell)
		}
	}
	return a
}

// An actionRun is one run of the action.
type actionRun struct {
	job     *job
	temp    string
	files   string // folder of the files that GitHub sets up
	log     string
	code    int
	inputs  map[string]string
	outputs map[string]map[string]string // by step
}

// run runs the steps until one fails.
func (j *job) run(inputs map[string]string) *actionRun {
	j.t.Helper()
	r := &actionRun{job: j, temp: j.temp, files: j.t.TempDir(), inputs: make(map[string]string), outputs: make(map[string]map[string]string)}
	for name, input := range j.action.Inputs {
		r.inputs[name] = input.Default
	}
	for name := range inputs {
		if _, known := j.action.Inputs[name]; !known {
			j.t.Fatalf("the action has no input %s", name)
		}
	}
	maps.Copy(r.inputs, inputs)
	for i, s := range j.action.Runs.Steps {
		if s.Uses != "" {
			j.t.Logf("step %d uses %s: not run here", i, s.Uses)
			continue
		}
		if s.If != "" {
			j.t.Fatalf("step %s has a condition, which this test cannot judge", s.ID)
		}
		if r.step(s); r.code != 0 {
			break
		}
	}
	return r
}

func (r *actionRun) step(s step) {
	r.job.t.Helper()
	script, output := filepath.Join(r.files, s.ID+".sh"), filepath.Join(r.files, s.ID+".output")
	for name, text := range map[string]string{script: s.Run, output: ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			r.job.t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = filepath.Join(r.job.dir, r.expand(s.WorkingDirectory))
	cmd.Env = append(slices.Clone(r.job.env), "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(r.files, "summary"))
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.expand(value))
	}
	out, err := cmd.CombinedOutput()
	r.log += string(out)
	if err != nil {
		r.code = cmd.ProcessState.ExitCode()
	}
	r.outputs[s.ID] = make(map[string]string)
	for line := range strings.Lines(r.file(s.ID + ".output")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.outputs[s.ID][name] = value
	}
}

var expression = regexp.MustCompile(`\$\{\{ *([\w.-]+) *\}\}`)

// expand evaluates the expressions that the action has.
func (r *actionRun) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		part := strings.Split(name, ".")
		switch {
		case part[0] == "inputs":
			return r.inputs[part[1]]
		case part[0] == "steps" && part[2] == "outputs":
			return r.outputs[part[1]][part[3]]
		case name == "github.action_path":
			return r.job.action.path
		case strings.HasPrefix(name, "github.event."):
			return "" // these events have no such field
		}
		r.job.t.Fatalf("this test does not know %s", found)
		return ""
	})
}

// file returns the text of a file that a step wrote; "" if there is none.
func (r *actionRun) file(name string) string {
	text, err := os.ReadFile(filepath.Join(r.files, name))
	if err != nil && !os.IsNotExist(err) {
		r.job.t.Fatal(err)
	}
	return string(text)
}

// expect checks the exit code and what is in the log.
func (r *actionRun) expect(code int, lines ...string) {
	r.job.t.Helper()
	if r.code != code {
		r.job.t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, line := range lines {
		if !strings.Contains(r.log, line) {
			r.job.t.Errorf("not in the log: %q", line)
		}
	}
	if r.job.t.Failed() {
		r.job.t.Fatalf("the log:\n%s", cmp.Or(r.log, "(empty)"))
	}
}
