package digestgate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A project is a directory with a step that makes "out" of its inputs.
type project struct {
	t    *testing.T
	gate *Gate
	step Step
	runs int
}

func newProject(t *testing.T) *project {
	p := &project{t: t, gate: New(filepath.Join(t.TempDir(), "state", "gates"))}
	p.step = Step{
		Name:    "npm ci",
		Dir:     t.TempDir(),
		Files:   []string{"package.json", "package-lock.json"},
		Globs:   []string{"packages/*/package.json"},
		Extra:   []string{"node v24", "linux"},
		Outputs: []string{"out"},
	}
	p.write("package.json", `{"name": "root"}`)
	p.write("package-lock.json", `{}`)
	p.write("packages/a/package.json", `{"name": "a"}`)
	return p
}

func (p *project) write(path, content string) {
	p.t.Helper()
	path = filepath.Join(p.step.Dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) remove(path string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.step.Dir, path)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) work(context.Context) error {
	p.runs++
	p.write("out/installed", "")
	return nil
}

// wantRun runs the step and checks that it was run for the reason, or skipped
// if there is none.
func (p *project) wantRun(what, reason string) {
	p.t.Helper()
	before := p.runs
	checked, err := p.gate.Check(p.t.Context(), p.step)
	if err != nil {
		p.t.Fatal(err)
	}
	decision, err := p.gate.Run(p.t.Context(), p.step, p.work)
	if err != nil {
		p.t.Fatal(err)
	}
	if checked != decision {
		p.t.Errorf("%s: Check says %+v, Run %+v", what, checked, decision)
	}
	want := Decision{Run: reason != "", Reason: reason}
	if reason == "" {
		want.Reason = "nothing has changed"
	}
	if decision != want || p.runs-before != map[bool]int{true: 1}[want.Run] {
		p.t.Errorf("%s: %+v with %d runs, want %+v", what, decision, p.runs-before, want)
	}
}

func TestAStepRunsWhenAnInputHasChangedAndOnlyThen(t *testing.T) {
	p := newProject(t)
	p.wantRun("the first time", "it has not run before")
	p.wantRun("again", "")
	for _, change := range []struct {
		what   string
		do     func()
		reason string
	}{
		{"a file", func() { p.write("package-lock.json", `{"a": 1}`) }, "file package-lock.json has changed"},
		{"a file, but not its content", func() { p.write("package-lock.json", `{"a": 1}`) }, ""},
		{"a file that goes", func() { p.remove("package-lock.json") }, "file package-lock.json is gone"},
		{"a file that comes", func() { p.write("package-lock.json", "") }, "file package-lock.json is new"},
		{"a globbed file", func() { p.write("packages/a/package.json", "{}") }, "file packages/a/package.json has changed"},
		{"one more globbed file", func() { p.write("packages/b/package.json", "{}") }, "file packages/b/package.json is new"},
		{"a globbed file less", func() { p.remove("packages/b") }, "file packages/b/package.json is gone"},
		{"a file that is no input", func() { p.write("packages/a/index.js", "") }, ""},
		{"an extra string", func() { p.step.Extra = []string{"node v25", "linux"} }, "extra 0 has changed"},
		{"the order of extras", func() { p.step.Extra = []string{"linux", "node v25"} }, "extra 0 has changed"},
		{"where extras are parted", func() { p.step.Extra = []string{"linuxnode", " v25"} }, "extra 0 has changed"},
		{"an extra less", func() { p.step.Extra = p.step.Extra[:1] }, "extra 1 is gone"},
		{"a declared file", func() { p.step.Files = append(p.step.Files, "packages/a/index.js") }, "file packages/a/index.js is new"},
		{"a file declared twice", func() { p.step.Files = append(p.step.Files, "package.json") }, ""},
		{"the output that goes", func() { p.remove("out") }, "output out is missing"},
		{"an output more", func() { p.step.Outputs = append(p.step.Outputs, "out/installed") }, ""},
		{"a forgotten step", func() { p.forget() }, "it has not run before"},
	} {
		change.do()
		p.wantRun(change.what, change.reason)
		p.wantRun(change.what+", and again", "")
	}
}

func (p *project) forget() {
	p.t.Helper()
	for range 2 {
		if err := p.gate.Forget(p.step); err != nil {
			p.t.Fatal(err)
		}
	}
}

func TestStepsDoNotShareARecord(t *testing.T) {
	p := newProject(t)
	p.wantRun("one", "it has not run before")
	p.step.Name = "npm-ci"
	p.wantRun("another of a like name", "it has not run before")
	p.step.Name = "npm ci"
	p.wantRun("the first", "")

	other := newProject(t)
	other.gate = p.gate
	other.wantRun("the same step elsewhere", "it has not run before")
	p.wantRun("the first once more", "")
}

func TestAFailedStepRunsAgain(t *testing.T) {
	p := newProject(t)
	p.wantRun("the first time", "it has not run before")
	p.write("package.json", "changed")
	failure := errors.New("no network")
	decision, err := p.gate.Run(t.Context(), p.step, func(context.Context) error { return failure })
	if !errors.Is(err, failure) || decision.Reason != "file package.json has changed" {
		t.Errorf("%+v, %v", decision, err)
	}
	p.wantRun("after a failure", "its last run did not succeed")
	p.wantRun("after a success", "")
}

// The output of the run that failed is no longer that of the inputs before it.
func TestAFailureIsNotForgottenWhenTheInputsGoBack(t *testing.T) {
	p := newProject(t)
	p.wantRun("the first time", "it has not run before")
	p.write("package.json", "changed")
	p.gate.Run(t.Context(), p.step, func(context.Context) error { return errors.New("half done") })
	p.write("package.json", `{"name": "root"}`)
	p.wantRun("with the inputs of the last success", "its last run did not succeed")
}

func TestAPanicIsNoSuccess(t *testing.T) {
	p := newProject(t)
	func() {
		defer func() { recover() }()
		p.gate.Run(t.Context(), p.step, func(context.Context) error { p.write("out/half", ""); panic("oops") })
	}()
	p.wantRun("after a panic", "its last run did not succeed")
}

func TestInputsChangedByTheStepOrDuringItRunItOnceMore(t *testing.T) {
	p := newProject(t)
	_, err := p.gate.Run(t.Context(), p.step, func(ctx context.Context) error {
		p.write("package-lock.json", "rewritten")
		return p.work(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	p.wantRun("after it rewrote its lock file", "file package-lock.json has changed")
	p.wantRun("and again", "")
}

func TestARecordThatIsNotUsableRunsTheStep(t *testing.T) {
	p := newProject(t)
	p.wantRun("the first time", "it has not run before")
	path, err := p.gate.recordPath(p.step)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":          "",
		"cut off":        string(whole[:len(whole)/2]),
		"no object":      "null",
		"another format": strings.Replace(string(whole), `"format": 1`, `"format": 2`, 1),
		"another step":   strings.Replace(string(whole), "npm ci", "npm install", 1),
		"another place":  strings.Replace(string(whole), `"dir": "`, `"dir": "/elsewhere`, 1),
		"not JSON":       "sha256:00",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		decision, err := p.gate.Run(t.Context(), p.step, p.work)
		if err != nil || !decision.Run || !strings.Contains(decision.Reason, "not usable") {
			t.Errorf("%s: %+v, %v", name, decision, err)
		}
		p.wantRun(name+", and again", "")
	}
}

func TestRecordsHoldNoExtraString(t *testing.T) {
	p := newProject(t)
	p.step.Extra = []string{"token=hunter2"}
	p.wantRun("the first time", "it has not run before")
	path, _ := p.gate.recordPath(p.step)
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "hunter2") {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWhatCannotBeReadIsAnErrorAndRunsNothing(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx    context.Context
		change func(p *project)
		want   string
	}{
		"no name":              {t.Context(), func(p *project) { p.step.Name = "" }, "have a name"},
		"no directory":         {t.Context(), func(p *project) { p.step.Dir = "" }, "a directory"},
		"a directory as input": {t.Context(), func(p *project) { p.step.Files = []string{"packages"} }, "packages is not a regular file"},
		"a device as input":    {t.Context(), func(p *project) { p.step.Files = []string{os.DevNull} }, "is not a regular file"},
		"no time":              {ended, func(*project) {}, "context canceled"},
		"a bad pattern":        {t.Context(), func(p *project) { p.step.Globs = []string{"a/[b"} }, "syntax error in pattern"},
		"an absolute pattern":  {t.Context(), func(p *project) { p.step.Globs = []string{"/etc/*"} }, "not a relative path"},
		"stars in a name":      {t.Context(), func(p *project) { p.step.Globs = []string{"a**/b"} }, "has to stand alone"},
		"stars at the end":     {t.Context(), func(p *project) { p.step.Globs = []string{"src/**"} }, `say "**/*"`},
	} {
		p := newProject(t)
		test.change(p)
		decision, err := p.gate.Run(test.ctx, p.step, p.work)
		if err == nil || !strings.Contains(err.Error(), test.want) || decision != (Decision{}) || p.runs != 0 {
			t.Errorf("%s: %+v, %v with %d runs, want %q", name, decision, err, p.runs, test.want)
		}
	}
}

func TestARecordThatCannotBeWrittenRunsNothing(t *testing.T) {
	p := newProject(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.gate = New(file)
	if _, err := p.gate.Run(t.Context(), p.step, p.work); err == nil || p.runs != 0 {
		t.Errorf("%v with %d runs", err, p.runs)
	}
}

func TestProjectedFilesChangeWithTheirProjection(t *testing.T) {
	p := newProject(t)
	failure := errors.New("not a manifest")
	p.step.Project = func(path string, content []byte) ([]byte, error) {
		if filepath.Base(path) != "package.json" {
			return content, nil
		}
		if string(content) == "broken" {
			return nil, failure
		}
		before, _, _ := strings.Cut(string(content), "//")
		return []byte(before), nil
	}
	p.wantRun("the first time", "it has not run before")
	p.write("package.json", `{"name": "root"}// a comment`)
	p.wantRun("a comment", "")
	p.write("packages/a/package.json", `{"name": "a"}// a comment`)
	p.wantRun("a comment in a globbed one", "")
	p.write("package.json", `{"name": "trunk"}// a comment`)
	p.wantRun("a name", "file package.json has changed")
	p.write("package-lock.json", `{}//`)
	p.wantRun("a file given as it is", "file package-lock.json has changed")
	p.write("package.json", "broken")
	if _, err := p.gate.Run(t.Context(), p.step, p.work); !errors.Is(err, failure) || !strings.Contains(err.Error(), "projecting package.json") {
		t.Errorf("a projection that fails: %v", err)
	}
	p.remove("package.json")
	p.wantRun("nothing to project", "file package.json is gone")
}
