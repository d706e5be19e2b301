package check

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/configfile"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// A Suite is what there is to run.
type Suite struct {
	// Rules are the analyzers of the vet tool.
	Rules []unit.Rule
	// Excluded judges files that no platform builds; see [Request].
	Excluded func(dir string, files []string) ([]*finding.Finding, error)
	// With returns the path of the vet tool that has the sets of -with besides Rules.
	With func(ctx context.Context) (string, error)
}

// Settings are the flags that decide what is judged and how.
type Settings struct {
	suite     Suite
	platforms string
	tags      string
	with      string
	config    string   // settings file, or noConfig; empty is the default one
	build     []string // flags of the build
	tool      []string // flags of the vet tool
	tests     bool
	given     map[string]bool               // flags of analyzers on the command line
	set       map[string]func(string) error // sets a flag of an analyzer
	disabled  map[string]bool               // analyzers left out by name
	named     map[string]bool               // analyzers chosen by name
}

// NewSettings returns the settings of a run without flags.
func NewSettings(suite Suite) *Settings {
	s := &Settings{
		suite:     suite,
		platforms: DefaultPlatforms,
		given:     make(map[string]bool),
		set:       make(map[string]func(string) error),
		disabled:  make(map[string]bool),
		named:     make(map[string]bool),
	}
	for _, rule := range suite.Rules {
		rule.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
			s.set[rule.Analyzer.Name+"."+f.Name] = func(value string) error { return s.setFlag(rule, f, value) }
		})
	}
	return s
}

// Register adds the flags to a set.
func (s *Settings) Register(flags *flag.FlagSet) {
	flags.StringVar(&s.platforms, "platforms", s.platforms, "comma-separated `list` of GOOS or GOOS/GOARCH to judge")
	flags.StringVar(&s.config, "config", "", "settings `file`; "+noConfig+" reads none (default "+configfile.Name+" at the module's or workspace's root)")
	flags.StringVar(&s.tags, "tags", "", "comma-separated `list` of build tags")
	flags.StringVar(&s.with, "with", "", "comma-separated `sets` of analyzers to add: vet, staticcheck")
	for _, name := range []string{"mod", "modfile", "overlay"} {
		flags.Func(name, "as for go build", func(value string) error {
			s.build = append(s.build, "-"+name+"="+value)
			return nil
		})
	}
	for _, rule := range s.suite.Rules {
		s.registerAnalyzer(flags, rule)
	}
}

func (s *Settings) registerAnalyzer(flags *flag.FlagSet, rule unit.Rule) {
	name := rule.Analyzer.Name
	flags.BoolFunc(name, "run only the analyzers named so; false leaves "+name+" out", func(value string) error {
		s.tool = append(s.tool, "-"+name+"="+value)
		if value == "true" {
			s.named[name] = true
		} else {
			s.disabled[name] = true
		}
		return nil
	})
	rule.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		full := name + "." + f.Name
		set := func(value string) error {
			s.given[full] = true
			return s.set[full](value)
		}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			flags.BoolFunc(full, f.Usage, set)
		} else {
			flags.Func(full, f.Usage, set)
		}
	})
}

// setFlag passes a flag on to the vet tool. The analyzer's own takes the value
// too, which finds mistakes before anything is run.
func (s *Settings) setFlag(rule unit.Rule, f *flag.Flag, value string) error {
	if err := f.Value.Set(value); err != nil {
		return err
	}
	s.tool = append(s.tool, "-"+rule.Analyzer.Name+"."+f.Name+"="+value)
	if f.Name == "tests" && f.Value.String() == "true" {
		s.tests = true
	}
	return nil
}

// Native makes the platform at hand the only one, unless a flag says otherwise.
func (s *Settings) Native() { s.platforms = "" }

// Set sets a flag of an analyzer, such as "loopblock.tests".
func (s *Settings) Set(flag, value string) error {
	set, ok := s.set[flag]
	if !ok {
		return fmt.Errorf("there is no flag -%s", flag)
	}
	return set(value)
}

// Judge runs the suite as the settings say.
func (s *Settings) Judge(ctx context.Context, dir string, patterns []string, progress func(string, int)) (*Judgement, error) {
	session, err := s.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	return session.Judge(ctx, Run{Patterns: patterns, Progress: progress})
}

// separate takes the advice out of what was found.
func (s *Settings) separate(all []*finding.Finding) (findings, advice []*finding.Finding) {
	categories := make(map[string]bool)
	for _, rule := range s.suite.Rules {
		for _, category := range rule.Advice {
			categories[category] = true
		}
	}
	for _, f := range all {
		if categories[f.Category] {
			advice = append(advice, f)
		} else {
			findings = append(findings, f)
		}
	}
	return findings, advice
}

func (s *Settings) request(ctx context.Context, dir string, patterns []string) (Request, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	request := Request{
		Dir:        dir,
		Patterns:   patterns,
		Platforms:  s.platforms,
		Tags:       s.tags,
		ToolFlags:  append([]string{"-" + unit.AdviceFlag}, s.tool...),
		BuildFlags: s.build,
		Tests:      s.tests || s.with != "",
		Excluded:   s.suite.Excluded,
	}
	var err error
	if s.with == "" {
		request.Tool, err = os.Executable()
	} else {
		request.Tool, err = s.suite.With(ctx)
		request.ToolFlags = append(request.ToolFlags, "-with="+s.with)
	}
	if err != nil {
		return Request{}, fmt.Errorf("finding the vet tool: %w", err)
	}
	return request, nil
}

// categories returns the rules that a run applies.
func (s *Settings) categories(ctx context.Context, tool string) (map[string]bool, error) {
	categories := make(map[string]bool)
	for _, rule := range s.suite.Rules {
		name := rule.Analyzer.Name
		if rule.Set == "" && !s.disabled[name] && (len(s.named) == 0 || s.named[name]) {
			categories[cmp.Or(rule.Category, name)] = true
		}
	}
	if s.with == "" || len(s.named) > 0 {
		return categories, nil
	}
	names, err := unit.SetMembers(ctx, tool, strings.Split(s.with, ","))
	for _, name := range names {
		categories[name] = true
	}
	return categories, err
}

// Scope says of which entries of a baseline the judgement can tell that they
// accept nothing any more.
func (j *Judgement) Scope() ratchet.Scope {
	scope := ratchet.Scope{
		Packages:   make(map[string]bool),
		Whole:      j.Whole,
		Categories: j.Categories,
	}
	for _, path := range j.Packages {
		scope.Packages[path] = true
	}
	return scope
}

// parseArgs reads flags, which may stand before and after the patterns.
func parseArgs(flags *flag.FlagSet, args []string) (patterns []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return patterns, nil
		}
		patterns = append(patterns, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// Err returns the problems as an error, for those who can do nothing with a
// judgement of a part.
func (j *Judgement) Err() error {
	if len(j.Problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(describe(j.Problems), "\n"))
}

func baselinePath(dir, root, given string) string {
	switch {
	case given == "":
		return filepath.Join(root, filepath.FromSlash(ratchet.DefaultFile))
	case filepath.IsAbs(given):
		return given
	}
	return filepath.Join(dir, given)
}
