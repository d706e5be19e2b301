package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/analyzers/loopblock"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/text"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/overlay"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// An engine runs the go command on unsaved text. Its judge is for one goroutine;
// probes may run beside it.
type engine struct {
	dir      string // temporary folder
	settings func() (*check.Settings, error)

	mu      sync.Mutex
	modules []*module
	probes  sync.Mutex     // one at a time
	running sync.WaitGroup // probes
}

// A module is a session and the state of the files that it was made from.
type module struct {
	session *check.Session
	files   map[string]stamp
}

type stamp struct {
	size int64
	time time.Time
}

// An outcome is what a run says of folders of one module.
type outcome struct {
	dirs      []string
	judgement *check.Judgement // nil if there is an error
	baseline  ratchet.Result
	err       error // nothing was judged
	note      error // something is wrong all the same
}

// A probe asks what would be said of a folder if one file had another text.
type probe struct {
	ctx   context.Context
	dir   string
	texts map[string]*text.Text
}

func newEngine(dir string, settings func() (*check.Settings, error)) *engine {
	return &engine{dir: dir, settings: settings}
}

// close waits for probes, which the engine's context has ended.
func (e *engine) close() { e.running.Wait() }

// judge judges folders, one run for each module or workspace.
func (e *engine) judge(ctx context.Context, s snapshot, progress func(string, int)) []outcome {
	var outcomes []outcome
	groups := make(map[*module][]string)
	for _, dir := range sorted(s.dirs) {
		m, err := e.moduleOf(ctx, dir)
		if err != nil {
			outcomes = append(outcomes, outcome{dirs: []string{dir}, err: err})
			continue
		}
		groups[m] = append(groups[m], dir)
	}
	for m, dirs := range groups {
		o := outcome{dirs: dirs}
		o.judgement, o.err = e.run(ctx, m, dirs, s.texts, progress)
		if o.err == nil {
			o.note = o.hold(m, s.texts)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// probe judges one folder.
func (e *engine) probe(ctx context.Context, p probe) (*check.Judgement, error) {
	e.running.Add(1)
	defer e.running.Done()
	e.probes.Lock()
	defer e.probes.Unlock()
	both, cancel := context.WithCancel(p.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	m, err := e.moduleOf(both, p.dir)
	if err != nil {
		return nil, err
	}
	return e.run(both, m, []string{p.dir}, p.texts, nil)
}

func (e *engine) run(ctx context.Context, m *module, dirs []string, texts map[string]*text.Text, progress func(string, int)) (*check.Judgement, error) {
	run := check.Run{Patterns: slices.Clone(dirs), Progress: progress}
	unsaved := m.unsaved(texts)
	if len(unsaved) > 0 {
		o, err := overlay.Write(e.dir, unsaved)
		if err != nil {
			return nil, err
		}
		defer o.Remove()
		run.Overlay = o.File()
	}
	return m.session.Judge(ctx, run)
}

// environment keeps what the go command writes below the engine's folder, also
// when it is killed.
func (e *engine) environment() ([]string, error) {
	dir := filepath.Join(e.dir, "go")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a temporary folder: %w", err)
	}
	return []string{"GOTMPDIR=" + dir}, nil
}

// unsaved returns the open texts that differ from the files of the module.
func (m *module) unsaved(texts map[string]*text.Text) map[string][]byte {
	unsaved := make(map[string][]byte)
	for path, t := range texts {
		if !m.session.Contains(filepath.Dir(path)) {
			continue // the go command would not take it
		}
		if saved, err := os.ReadFile(path); err != nil || string(saved) != t.String() {
			unsaved[path] = []byte(t.String())
		}
	}
	return unsaved
}

// moduleOf returns the module of a folder, read anew if its files have changed.
func (e *engine) moduleOf(ctx context.Context, dir string) (*module, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("looking for the module of a file: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.modules = slices.DeleteFunc(e.modules, (*module).isOld)
	root := moduleRoot(dir)
	for _, m := range e.modules {
		if m.session.Contains(dir) && m.has(root) {
			return m, nil
		}
	}
	settings, err := e.settings()
	if err != nil {
		return nil, err
	}
	env, err := e.environment()
	if err != nil {
		return nil, err
	}
	session, err := settings.Open(ctx, dir, env...)
	if err != nil {
		return nil, err
	}
	if !session.Contains(dir) {
		return nil, fmt.Errorf("%s belongs to a module that is not in the workspace %s: add it with go work use", dir, session.Root())
	}
	m := &module{session: session, files: make(map[string]stamp)}
	for _, name := range session.ConfigFiles() {
		m.files[name] = stampOf(name)
	}
	e.modules = append(e.modules, m)
	return m, nil
}

// moduleRoot returns the go.mod file around a folder, or "".
func moduleRoot(dir string) string {
	for {
		name := filepath.Join(dir, "go.mod")
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return name
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func (m *module) has(file string) bool {
	_, ok := m.files[file]
	return ok
}

func (m *module) isOld() bool {
	for name, was := range m.files {
		if stampOf(name) != was {
			return true
		}
	}
	return false
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// hold holds the findings against the baseline. One that cannot be read accepts
// nothing.
func (o *outcome) hold(m *module, texts map[string]*text.Text) error {
	entries, err := m.session.Baseline()
	if err != nil || len(entries) == 0 {
		o.baseline.New = o.judgement.Findings
		return err
	}
	ratchet.IdentifyIn(o.judgement.Findings, func(path string) ([]byte, error) {
		if t := texts[path]; t != nil {
			return []byte(t.String()), nil
		}
		return os.ReadFile(path)
	})
	o.baseline = ratchet.Match(entries, o.judgement.Findings, o.judgement.Scope())
	return nil
}

// of returns what the outcome says of one file.
func (o *outcome) of(path string, t *text.Text) *judged {
	j := &judged{text: t, accepted: make(map[*finding.Finding]string)}
	if o.judgement == nil || o.err != nil {
		j.failed = true
		return j
	}
	for _, f := range o.baseline.New {
		if f.File == path {
			j.findings = append(j.findings, f)
		}
	}
	for _, accepted := range o.baseline.Accepted {
		if accepted.Finding.File == path {
			j.findings = append(j.findings, accepted.Finding)
			j.accepted[accepted.Finding] = accepted.Entry.Reason
		}
	}
	for _, f := range o.judgement.Advice {
		switch {
		case f.File != path:
		case f.Category == loopblock.Entry:
			j.entries = append(j.entries, f)
		default:
			j.advice = append(j.advice, f)
		}
	}
	j.failed = len(o.judgement.Problems) > 0
	return j
}

func (o *outcome) hasEntries() bool {
	return slices.ContainsFunc(o.judgement.Advice, func(f *finding.Finding) bool { return f.Category == loopblock.Entry })
}

func sorted(dirs map[string]bool) []string {
	list := make([]string, 0, len(dirs))
	for dir := range dirs {
		list = append(list, dir)
	}
	slices.SortFunc(list, strings.Compare)
	return list
}
