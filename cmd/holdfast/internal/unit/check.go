package unit

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/overlay"
)

// A result is what the analyzers said about one unit.
type result struct {
	unit    *loaded
	reports []report // one for each enabled analyzer, in their order
	facts   []byte   // contents of the facts file
}

// A report is what one analyzer said.
type report struct {
	analyzer    *analysis.Analyzer
	advice      []string // categories that are advice
	diagnostics []analysis.Diagnostic
}

// check loads the unit and runs the enabled analyzers on it. An analyzer that
// fails makes the unit fail.
func check(cfg *config, files *factFiles, rules []Rule) (*result, error) {
	unit, err := load(cfg)
	if err != nil {
		return nil, err
	}
	analyzers := make([]*analysis.Analyzer, len(rules))
	for i, rule := range rules {
		analyzers[i] = rule.Analyzer
	}
	run := newRun(cfg, unit, files, analyzers)
	run.all(analyzers)

	result := &result{unit: unit}
	var failures []error
	for _, rule := range rules {
		a := rule.Analyzer
		action := run.actions[a]
		if action.err != nil {
			failures = append(failures, fmt.Errorf("analyzer %s failed on package %s: %w", a.Name, cfg.ImportPath, action.err))
		}
		result.reports = append(result.reports, report{a, rule.Advice, action.diagnostics})
	}
	if failures != nil {
		return nil, errors.Join(failures...)
	}
	result.facts, err = run.facts.encode()
	return result, err
}

// A run is the execution of a set of analyzers, and of all that they require,
// on one unit. Each runs once; those that do not wait for one another run at
// the same time.
type run struct {
	cfg     *config
	unit    *loaded
	facts   *factStore
	actions map[*analysis.Analyzer]*action
}

// An action is one analyzer's part in a run.
type action struct {
	once        sync.Once
	value       any
	err         error
	diagnostics []analysis.Diagnostic
}

func newRun(cfg *config, unit *loaded, files *factFiles, analyzers []*analysis.Analyzer) *run {
	r := &run{
		cfg:     cfg,
		unit:    unit,
		facts:   newFactStore(unit.pkg, files, analyzers),
		actions: make(map[*analysis.Analyzer]*action),
	}
	for _, a := range withRequired(analyzers) {
		r.actions[a] = new(action)
	}
	return r
}

// withRequired returns analyzers and, before each, all that it requires.
func withRequired(analyzers []*analysis.Analyzer) []*analysis.Analyzer {
	var list []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, required := range a.Requires {
			visit(required)
		}
		list = append(list, a)
	}
	for _, a := range analyzers {
		visit(a)
	}
	return list
}

// all runs analyzers and waits for them.
func (r *run) all(analyzers []*analysis.Analyzer) {
	var wg sync.WaitGroup
	for _, a := range analyzers {
		wg.Go(func() { r.one(a) })
	}
	wg.Wait()
}

// one runs an analyzer unless that was done, and waits for it.
func (r *run) one(a *analysis.Analyzer) *action {
	act := r.actions[a]
	act.once.Do(func() {
		r.all(a.Requires)
		var inputs map[*analysis.Analyzer]any
		if inputs, act.err = r.inputs(a); act.err == nil {
			act.value, act.err = guard(a, r.pass(a, inputs, act))
		}
	})
	return act
}

// inputs collects the results of what the analyzer requires.
func (r *run) inputs(a *analysis.Analyzer) (map[*analysis.Analyzer]any, error) {
	inputs := make(map[*analysis.Analyzer]any)
	for _, required := range a.Requires {
		act := r.actions[required]
		if act.err != nil {
			return nil, fmt.Errorf("%s, which it requires, failed: %w", required.Name, act.err)
		}
		inputs[required] = act.value
	}
	return inputs, nil
}

// guard runs the analyzer and turns a panic into an error.
func guard(a *analysis.Analyzer, pass *analysis.Pass) (value any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return a.Run(pass)
}

func (r *run) pass(a *analysis.Analyzer, inputs map[*analysis.Analyzer]any, act *action) *analysis.Pass {
	pass := &analysis.Pass{
		Analyzer:          a,
		Fset:              r.unit.fset,
		Files:             r.unit.files,
		OtherFiles:        r.cfg.NonGoFiles,
		IgnoredFiles:      r.cfg.IgnoredFiles,
		Pkg:               r.unit.pkg,
		TypesInfo:         r.unit.info,
		TypesSizes:        r.unit.sizes,
		Module:            r.cfg.module(),
		ResultOf:          inputs,
		Report:            func(d analysis.Diagnostic) { act.diagnostics = append(act.diagnostics, d) },
		ReadFile:          r.readFile,
		ImportObjectFact:  r.facts.importObjectFact,
		ExportObjectFact:  r.facts.exportObjectFact,
		ImportPackageFact: r.facts.importPackageFact,
		ExportPackageFact: r.facts.exportPackageFact,
		AllObjectFacts:    func() []analysis.ObjectFact { return r.facts.objectFacts(a.FactTypes) },
		AllPackageFacts:   func() []analysis.PackageFact { return r.facts.packageFacts(a.FactTypes) },
	}
	return pass
}

// readFile gives analyzers the files of the unit and no others: the go command
// would not know when one of those changes.
func (r *run) readFile(name string) ([]byte, error) {
	for _, list := range [][]string{r.cfg.GoFiles, r.cfg.NonGoFiles, r.cfg.IgnoredFiles} {
		for _, actual := range list {
			if actual == name || overlay.Original(actual) == name {
				return os.ReadFile(actual)
			}
		}
	}
	return nil, fmt.Errorf("%s is not a file of package %s", name, r.cfg.ImportPath)
}
