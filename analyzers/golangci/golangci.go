// Package golangci makes the suite a module plugin of golangci-lint. A build of
// golangci-lint that has it takes three lines of .custom-gcl.yml:
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/holdfast-go/holdfast
//	    import: github.com/holdfast-go/holdfast/analyzers/golangci
//	    version: v1.0.0
//
// and is configured in .golangci.yml. The settings are the analyzers' flags, in
// sections named after the analyzers, as in holdfast.toml:
//
//	linters:
//	  enable: [holdfast]
//	  settings:
//	    custom:
//	      holdfast:
//	        type: module
//	        settings:
//	          loopblock:
//	            kinds: [+stat]
//
// # What escapes it
//
// golangci-lint runs one platform at a time, knows no baseline, prints one finding
// a line and three of the same text, unless told otherwise (issues.uniq-by-line,
// issues.max-same-issues), and takes advice (loopblock.auto) for findings. What
// //nolint hides is unknown to the markers analyzer: use holdfast's own markers.
//
// # Why it is here
//
// It is the only package that imports golangci's plugin register, a module of one
// file that needs nothing but golang.org/x/tools. A module of its own would not
// keep golangci-lint's build from this module's requirements, as it would require
// this module, and would have to be released after each release of it. It is also
// the only package with an init function: that is how plugins register.
package golangci

import (
	"fmt"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers"
)

// Name is the linter's name in golangci-lint's configuration.
const Name = "holdfast"

func init() { register.Plugin(Name, New) }

// New returns the plugin with settings as golangci-lint decodes them from YAML:
// nil, or a map of sections. A section or key that there is not is an error.
func New(settings any) (register.LinterPlugin, error) {
	sections, err := register.DecodeSettings[map[string]map[string]any](settings)
	if err != nil {
		return nil, fmt.Errorf("holdfast: %w", err)
	}
	p := &plugin{list: analyzers.New().All()}
	for _, a := range p.list {
		a.Run = withoutRelated(a.Run)
	}
	for name, flags := range sections {
		if err := p.set(name, flags); err != nil {
			return nil, fmt.Errorf("holdfast: %w", err)
		}
	}
	return p, nil
}

// withoutRelated leaves out the positions that a finding refers to: golangci-lint
// would print each as an issue. The message has the chain.
func withoutRelated(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		own := *pass
		own.Report = func(d analysis.Diagnostic) {
			d.Related = nil
			pass.Report(d)
		}
		return run(&own)
	}
}

// plugin is the suite, configured.
type plugin struct{ list []*analysis.Analyzer }

// BuildAnalyzers returns the suite's analyzers.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return p.list, nil }

// GetLoadMode says that the analyzers need types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// set sets the flags of one analyzer.
func (p *plugin) set(name string, flags map[string]any) error {
	for _, a := range p.list {
		if a.Name != name {
			continue
		}
		for key, value := range flags {
			if a.Flags.Lookup(key) == nil {
				return fmt.Errorf("%s has no setting %q", name, key)
			}
			text, err := spell(key, value)
			if err == nil {
				err = a.Flags.Set(key, text)
			}
			if err != nil {
				return fmt.Errorf("%s.%s: %w", name, key, err)
			}
		}
		return nil
	}
	return fmt.Errorf("there is no analyzer %q", name)
}

// spell returns a value as a flag takes it.
func spell(key string, value any) (string, error) {
	switch v := value.(type) {
	case string, bool:
		return fmt.Sprint(v), nil
	case float64: // as JSON has it, through which the settings come
		return fmt.Sprintf("%.0f", v), nil
	case []any:
		words := make([]string, len(v))
		for i, element := range v {
			word, ok := element.(string)
			if !ok {
				return "", fmt.Errorf("%v is not a string", element)
			}
			words[i] = word
		}
		if key == "declare" { // a directive has commas of its own
			return strings.Join(words, ";"), nil
		}
		return strings.Join(words, ","), nil
	}
	return "", fmt.Errorf("%v is not a string, a whole number, true or false, or a list of strings", value)
}
