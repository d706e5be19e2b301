package report

import (
	"encoding/json"
	"io"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// jsonVersion counts changes that a program which reads the report must follow.
// New fields do not count.
const jsonVersion = 1

// jsonReport is one run as one JSON object. Lists are never null. Paths are
// relative to Root, with forward slashes, or absolute if they lie elsewhere.
// Lines and columns are 1-based and columns count bytes; 0 is not known.
type jsonReport struct {
	Version  int           `json:"version"`
	Root     string        `json:"root"`
	Findings []jsonFinding `json:"findings"` // every use of a helper is one
	Stale    []jsonEntry   `json:"stale"`    // baseline entries that match nothing
	Grown    []jsonEntry   `json:"grown"`    // baseline entries that the base does not have
	Errors   []string      `json:"errors"`   // what could not be judged
	Summary  jsonSummary   `json:"summary"`
}

type jsonFinding struct {
	State     string        `json:"state"` // "new", "accepted" by the baseline, or "advice", which never fails
	Reason    string        `json:"reason,omitempty"`
	Rule      string        `json:"rule"`
	Help      string        `json:"help,omitempty"` // the rule's page
	Message   string        `json:"message"`
	Package   string        `json:"package"`
	File      string        `json:"file"`
	Line      int           `json:"line"`
	Column    int           `json:"column"`
	EndLine   int           `json:"endLine"`
	EndColumn int           `json:"endColumn"`
	Platforms []string      `json:"platforms"` // where it exists; empty is everywhere
	Key       jsonKey       `json:"key"`
	Related   []jsonRelated `json:"related"` // the chain: the use first, its source last
	Fixes     []jsonFix     `json:"fixes"`
}

// jsonKey is what the ratchet knows a finding by. ID holds all of it.
type jsonKey struct {
	ID         string `json:"id"`
	Symbol     string `json:"symbol"`
	Expression string `json:"expression"`
	Rank       int    `json:"rank"`
}

type jsonRelated struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

// jsonEdit replaces the bytes [Start, End) of a file; offsets are 0-based.
type jsonEdit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

type jsonEntry struct {
	Rule    string  `json:"rule"`
	Message string  `json:"message"`
	Package string  `json:"package"`
	File    string  `json:"file"` // the baseline
	Line    int     `json:"line"`
	Key     jsonKey `json:"key"`
	Reason  string  `json:"reason"`
}

type jsonSummary struct {
	Text      string    `json:"text"` // the last line of the text format
	Exit      int       `json:"exit"` // 0 clean, 1 problems, 2 could not judge
	New       int       `json:"new"`
	Accepted  int       `json:"accepted"`
	Advice    int       `json:"advice"`
	Stale     int       `json:"stale"`
	Grown     int       `json:"grown"`
	Entries   int       `json:"entries"` // in the baseline
	Base      *jsonBase `json:"base"`    // null if the baseline was not compared
	Packages  int       `json:"packages"`
	Platforms []string  `json:"platforms"`
	LeftOut   []string  `json:"leftOut"` // modules of the workspace
}

type jsonBase struct {
	Revision string `json:"revision"`
	Entries  int    `json:"entries"`
}

func (d *document) writeJSON(w io.Writer) error {
	report := jsonReport{
		Version:  jsonVersion,
		Root:     d.options.Root,
		Findings: []jsonFinding{},
		Stale:    []jsonEntry{},
		Grown:    []jsonEntry{},
		Errors:   list(d.Errors),
		Summary:  d.jsonSummary(),
	}
	for _, f := range d.New {
		report.Findings = append(report.Findings, d.jsonFinding("new", "", f))
	}
	for _, a := range d.Accepted {
		report.Findings = append(report.Findings, d.jsonFinding("accepted", a.Entry.Reason, a.Finding))
	}
	for _, f := range d.Advice {
		report.Findings = append(report.Findings, d.jsonFinding("advice", "", f))
	}
	faults := d.baselineProblems()
	for i, s := range d.Stale {
		report.Stale = append(report.Stale, d.jsonEntry(s.Entry, faults[i].Message))
	}
	for i, e := range d.Grown {
		report.Grown = append(report.Grown, d.jsonEntry(e, faults[len(d.Stale)+i].Message))
	}
	return encode(w, report)
}

// encode writes indented JSON and leaves "<" and "&" of source code as they are.
func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func (d *document) jsonSummary() jsonSummary {
	summary := jsonSummary{
		Text:      d.LastLine(),
		Exit:      d.Exit(),
		New:       len(d.New),
		Accepted:  len(d.Accepted),
		Advice:    len(d.Advice),
		Stale:     len(d.Stale),
		Grown:     len(d.Grown),
		Entries:   len(d.Baseline),
		Packages:  d.Packages,
		Platforms: list(d.Platforms),
		LeftOut:   list(d.LeftOut),
	}
	if d.Base != nil {
		summary.Base = &jsonBase{d.Base.Revision, d.Base.Entries}
	}
	return summary
}

func (d *document) jsonFinding(state, reason string, f *finding.Finding) jsonFinding {
	result := jsonFinding{
		State: state, Reason: reason,
		Rule: f.Category, Help: d.help[f.Category], Message: f.Message, Package: f.Package,
		File: d.inRoot(f.File), Line: f.Line, Column: f.Col, EndLine: f.EndLine, EndColumn: f.EndCol,
		Platforms: list(f.Platforms), Key: keyOf(ratchet.KeyOf(f)), Related: []jsonRelated{}, Fixes: []jsonFix{},
	}
	for _, r := range f.Related {
		result.Related = append(result.Related, jsonRelated{d.inRoot(r.File), r.Line, r.Col, r.Message})
	}
	for _, fix := range f.Fixes {
		edits := []jsonEdit{}
		for _, e := range fix.Edits {
			edits = append(edits, jsonEdit{d.inRoot(e.File), e.Start, e.End, e.New})
		}
		result.Fixes = append(result.Fixes, jsonFix{fix.Message, edits})
	}
	return result
}

func (d *document) jsonEntry(e ratchet.Entry, message string) jsonEntry {
	return jsonEntry{
		Rule: e.Category, Message: message, Package: e.Package,
		File: d.inRoot(d.options.BaselineFile), Line: e.Line, Key: keyOf(e.Key), Reason: e.Reason,
	}
}

func keyOf(k ratchet.Key) jsonKey {
	return jsonKey{ID: k.String(), Symbol: k.Symbol, Expression: k.Expr, Rank: k.K}
}

// list keeps an empty list from being null.
func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}
