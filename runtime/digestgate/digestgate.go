package digestgate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Step says what a piece of work depends on and what it makes.
type Step struct {
	// Name tells the steps of one Dir apart. It is not empty.
	Name string
	// Dir is what Files, Globs and Outputs are relative to. It is not empty.
	Dir string

	// Files are input files, in slashes. One that is not there is an input
	// too: it matters when it comes. Each is a regular file or a symbolic link
	// to one.
	Files []string
	// Globs are patterns of regular files, relative and in slashes. Each part
	// between slashes is one of path.Match, or "**" for any number of folders,
	// none included. "**" does not follow symbolic links to folders.
	Globs []string
	// Extra are inputs that are not files: versions, flags, the system. Their
	// order counts. They are stored as digests only.
	Extra []string
	// Project, if there is one, returns the part of an input file that
	// matters. It gets the path as in Files or as found by Globs and the whole
	// content, of at most [MaxProjected] bytes, and may return it as it is. An
	// error of it is one of the check.
	Project func(path string, content []byte) ([]byte, error)

	// Outputs are files or folders that have to be there for the step to be
	// skipped.
	Outputs []string
}

// MaxProjected is the most bytes of a file that is given to Step.Project.
const MaxProjected = 64 << 20

// A Decision says whether a step has to run, and why, for people.
type Decision struct {
	Run    bool
	Reason string
}

// A Gate decides about steps. It is safe for concurrent use; running one step
// several times at once is not, as its outputs would not be.
type Gate struct {
	dir string
}

// New returns a gate that keeps its records, one small file for each step, in
// dir, which is made with mode 0700 when it is first needed.
func New(dir string) *Gate {
	return &Gate{dir: dir}
}

// Check reads the inputs and decides whether the step has to run. It changes
// nothing. It returns an error if the step is not well-formed, if an input
// cannot be read, or if ctx ends before all were.
func (g *Gate) Check(ctx context.Context, step Step) (Decision, error) {
	_, decision, err := g.check(ctx, step)
	if err != nil {
		return Decision{}, fmt.Errorf("checking the inputs of %q: %w", step.Name, err)
	}
	return decision, nil
}

// Run checks the step and, if it has to run, runs work, which gets ctx. It
// returns the decision with the error of work. An error from before work ran
// comes with the zero Decision; one in storing the digests after it has the
// step run again the next time.
func (g *Gate) Run(ctx context.Context, step Step, work func(context.Context) error) (Decision, error) {
	inputs, decision, err := g.check(ctx, step)
	if err != nil {
		return Decision{}, fmt.Errorf("checking the inputs of %q: %w", step.Name, err)
	}
	if !decision.Run {
		return decision, nil
	}
	if err := g.store(step, record{Running: true}); err != nil {
		return Decision{}, fmt.Errorf("noting that %q begins: %w", step.Name, err)
	}
	if err := work(ctx); err != nil {
		return decision, fmt.Errorf("running %q: %w", step.Name, err)
	}
	if err := g.store(step, record{Inputs: inputs}); err != nil {
		return decision, fmt.Errorf("storing the digests of %q: %w", step.Name, err)
	}
	return decision, nil
}

// Forget drops what is known of the step, so that it runs the next time. It is
// no error if nothing is known.
func (g *Gate) Forget(step Step) error {
	path, err := g.recordPath(step)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("forgetting %q: %w", step.Name, err)
	}
	return nil
}

func (g *Gate) check(ctx context.Context, step Step) (digests, Decision, error) {
	if err := step.validate(); err != nil {
		return nil, Decision{}, err
	}
	inputs, err := step.digest(ctx)
	if err != nil {
		return nil, Decision{}, err
	}
	reason := g.reasonToRun(step, inputs)
	if reason == "" {
		return inputs, Decision{Reason: "nothing has changed"}, nil
	}
	return inputs, Decision{Run: true, Reason: reason}, nil
}

// reasonToRun returns why the step has to run, or "".
func (g *Gate) reasonToRun(step Step, inputs digests) string {
	last, err := g.load(step)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "it has not run before"
	case err != nil:
		return "the record of its last run is not usable: " + err.Error()
	case last.Running:
		return "its last run did not succeed"
	}
	if change := last.Inputs.change(inputs); change != "" {
		return change
	}
	for _, output := range step.Outputs {
		if _, err := os.Stat(step.path(output)); err != nil {
			return "output " + output + " is missing"
		}
	}
	return ""
}

func (s Step) validate() error {
	if s.Name == "" || s.Dir == "" {
		return errors.New("a step has to have a name and a directory")
	}
	for _, pattern := range s.Globs {
		if err := validatePattern(pattern); err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	return nil
}

// path returns where a path of the step lies.
func (s Step) path(relative string) string {
	relative = filepath.FromSlash(relative)
	if filepath.IsAbs(relative) {
		return relative
	}
	return filepath.Join(s.Dir, relative)
}
