package unit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// The shape of "go vet -json": a tree of package ID, analyzer name, diagnostics.
// The same types read it back in package govet.
type (
	Tree map[string]map[string][]Diagnostic

	Diagnostic struct {
		Category       string    `json:"category,omitempty"`
		Posn           string    `json:"posn"` // file:line:column
		End            string    `json:"end"`
		Message        string    `json:"message"`
		SuggestedFixes []Fix     `json:"suggested_fixes,omitempty"`
		Related        []Related `json:"related,omitempty"`
	}

	// An Edit replaces the bytes [Start, End) of the file.
	Edit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}

	Fix struct {
		Message string `json:"message"`
		Edits   []Edit `json:"edits"`
	}

	Related struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
)

func emptyTree(id string) []byte { return encodeTree(Tree{id: {}}) }

func encodeTree(tree Tree) []byte {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	_ = encoder.Encode(tree) // strings and ints in maps and slices: cannot fail
	return buf.Bytes()
}

// emit hands out what was found, in the way that the flags ask for.
func (r *result) emit(cfg *config, flags *flagValues, stdout, stderr io.Writer) (int, error) {
	p := printer{fset: r.unit.fset, dir: cfg.Dir}
	switch {
	case flags.fix:
		return r.fix(cfg, flags, stdout, stderr)
	case flags.json && flags.advice:
		return 0, cfg.writeOutput(stdout, encodeTree(Tree{cfg.ID: p.analyzers(r.reports)}))
	case flags.json:
		findings, advice := separate(r.reports)
		p.texts(stderr, advice, flags.context)
		return 0, cfg.writeOutput(stdout, encodeTree(Tree{cfg.ID: p.analyzers(findings)}))
	}
	findings, advice := separate(r.reports)
	code := 0
	if p.texts(stderr, findings, flags.context) {
		code = 1
	}
	p.texts(stderr, advice, flags.context)
	return code, nil
}

// separate takes the advice out of reports.
func separate(reports []report) (findings, advice []report) {
	for _, r := range reports {
		isAdvice := func(d analysis.Diagnostic) bool { return slices.Contains(r.advice, d.Category) }
		for _, d := range r.diagnostics {
			if isAdvice(d) {
				advice = append(advice, report{analyzer: r.analyzer, diagnostics: []analysis.Diagnostic{d}})
			}
		}
		r.diagnostics = slices.DeleteFunc(slices.Clone(r.diagnostics), isAdvice)
		findings = append(findings, r)
	}
	return findings, advice
}

// A printer turns positions into text. They are those of the file on the disk,
// which //line comments do not move; only in what cgo wrote do they lead back to
// the source.
type printer struct {
	fset *token.FileSet
	dir  string // folder of the package
}

func (p printer) position(pos token.Pos) token.Position {
	physical := p.fset.PositionFor(pos, false)
	if isCgoOutput(physical.Filename, p.dir) {
		return p.fset.PositionFor(pos, true)
	}
	return physical
}

func (p printer) analyzers(reports []report) map[string][]Diagnostic {
	tree := make(map[string][]Diagnostic)
	for _, report := range reports {
		for _, d := range report.diagnostics {
			tree[report.analyzer.Name] = append(tree[report.analyzer.Name], p.diagnostic(d))
		}
	}
	return tree
}

func (p printer) diagnostic(d analysis.Diagnostic) Diagnostic {
	out := Diagnostic{
		Category: d.Category,
		Posn:     p.position(d.Pos).String(),
		End:      p.position(cmp.Or(d.End, d.Pos)).String(),
		Message:  d.Message,
	}
	for _, related := range d.Related {
		out.Related = append(out.Related, Related{
			Posn:    p.position(related.Pos).String(),
			End:     p.position(cmp.Or(related.End, related.Pos)).String(),
			Message: related.Message,
		})
	}
	for _, fix := range d.SuggestedFixes {
		if edits, err := p.edits(fix); err == nil {
			out.SuggestedFixes = append(out.SuggestedFixes, Fix{fix.Message, edits})
		}
	}
	return out
}

// texts prints diagnostics and reports whether there were any.
func (p printer) texts(w io.Writer, reports []report, context int) bool {
	printed := false
	for _, report := range reports {
		for _, d := range report.diagnostics {
			p.text(w, p.diagnostic(d), context)
			printed = true
		}
	}
	return printed
}

// text prints a diagnostic as "file:line:column: message (category)", with context lines
// around it unless context is negative.
func (p printer) text(w io.Writer, d Diagnostic, context int) {
	message := d.Message
	if d.Category != "" {
		message += " (" + d.Category + ")"
	}
	fmt.Fprintf(w, "%s: %s\n", d.Posn, message)
	p.source(w, d.Posn, d.End, context)
	for _, related := range d.Related {
		fmt.Fprintf(w, "%s: \t%s\n", related.Posn, related.Message)
	}
}

func (p printer) source(w io.Writer, posn, end string, context int) {
	if context < 0 {
		return
	}
	name, first, _ := ParsePosition(posn)
	_, last, _ := ParsePosition(end)
	data, err := os.ReadFile(name)
	if err != nil {
		return
	}
	for i, line := range strings.Split(string(data), "\n") {
		if n := i + 1; first-context <= n && n <= last+context {
			fmt.Fprintf(w, "%d\t%s\n", n, line)
		}
	}
}
