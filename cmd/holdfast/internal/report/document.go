package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// A document is a report with the places that its reader knows.
type document struct {
	*Report
	options Options
	sources sources
	help    map[string]string // addresses of the rules' pages, by ID
}

func newDocument(r *Report, o Options) *document {
	sorted := *r
	sorted.New = slices.Clone(r.New)
	finding.Sort(sorted.New)
	sorted.Advice = slices.Clone(r.Advice)
	finding.Sort(sorted.Advice)
	help := make(map[string]string)
	for _, rule := range rules.All() {
		help[rule.ID] = rule.HelpURI
	}
	return &document{Report: &sorted, options: o, sources: make(sources), help: help}
}

// A problem is something that has to be dealt with: a new finding, or a fault
// of the baseline as a finding of the ratchet.
type problem struct {
	*finding.Finding
	key string // the ratchet's identity, as the baseline spells it
}

// problems returns the findings and then the faults of the baseline.
func (d *document) problems() []problem {
	var all []problem
	for _, f := range d.New {
		all = append(all, problem{f, ratchet.KeyOf(f).String()})
	}
	return append(all, d.baselineProblems()...)
}

// hasRule reports whether there is a problem of the rule, or advice.
func (d *document) hasRule(id string) bool {
	return slices.ContainsFunc(d.problems(), func(p problem) bool { return p.Category == id }) ||
		slices.ContainsFunc(d.Advice, func(f *finding.Finding) bool { return f.Category == id })
}

func (d *document) baselineProblems() []problem {
	var all []problem
	for _, s := range d.Stale {
		all = append(all, d.baselineProblem(s.Entry, d.staleMessage(s)))
	}
	for _, e := range d.Grown {
		all = append(all, d.baselineProblem(e, fmt.Sprintf("new entry: the baseline only shrinks, and %s does not have %s; "+
			"repair the place, or accept it in the source with a marker and its reason", d.baseName(), e.Key)))
	}
	return all
}

func (d *document) baseName() string {
	if d.Base == nil {
		return "the base"
	}
	return d.Base.Revision
}

func (d *document) staleMessage(s ratchet.Stale) string {
	message := fmt.Sprintf("stale entry: nothing matches %s any more; ", s.Entry.Key)
	if s.Moved == nil {
		return message + "run \"holdfast baseline prune\" to delete it"
	}
	return message + fmt.Sprintf("if it moved to %s, run 'holdfast baseline add -reason %q %s:%d' and then \"holdfast baseline prune\"",
		s.Moved.Symbol, s.Entry.Reason, d.inDir(s.Moved.File), s.Moved.Line)
}

func (d *document) baselineProblem(e ratchet.Entry, message string) problem {
	f := &finding.Finding{Category: rules.Ratchet, Message: message, Package: e.Package, File: d.options.BaselineFile, Line: e.Line}
	if e.Line > 0 {
		f.Col = 1
	}
	return problem{f, e.Key.String()}
}

// message returns a finding's message on one line, with its platforms if they
// are not all.
func message(f *finding.Finding) string {
	text := strings.Join(strings.FieldsFunc(f.Message, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	if len(f.Platforms) > 0 {
		text += " [" + strings.Join(f.Platforms, ", ") + "]"
	}
	return text
}

// inRoot returns a path relative to the root with forward slashes, and an
// absolute one for a file elsewhere.
func (d *document) inRoot(path string) string {
	rel, err := filepath.Rel(d.options.Root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// inDir returns a path as a person in the working directory would write it.
func (d *document) inDir(path string) string {
	rel, err := filepath.Rel(d.options.Dir, path)
	if err != nil || len(rel) > len(path) {
		return path
	}
	return rel
}

// rootPlace returns "file:line:col", the file relative to the root.
func (d *document) rootPlace(f *finding.Finding) string {
	at := finding.Related{File: d.inRoot(f.File), Line: f.Line, Col: f.Col}
	return at.Position()
}
