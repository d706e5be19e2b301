package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/explain"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// writeText writes findings, faults of the baseline, advice, the pages that were
// asked for, and the last line. All of it belongs on standard output.
func (d *document) writeText(w io.Writer) error {
	out := bufio.NewWriter(w)
	d.writeFindings(out)
	for _, p := range d.baselineProblems() {
		d.writeLine(out, "", p.Finding)
	}
	d.writeAdvice(out)
	if d.options.Explain {
		d.writePages(out)
	}
	fmt.Fprintln(out, d.LastLine())
	return out.Flush()
}

func (d *document) writeFindings(out *bufio.Writer) {
	if d.options.Verbose {
		for _, f := range d.New {
			d.writeLine(out, "", f)
			d.writeChain(out, f)
		}
		return
	}
	for _, h := range group(d.New) {
		d.writeHelper(out, h)
	}
}

func (d *document) writeAdvice(out *bufio.Writer) {
	if len(d.Advice) > 0 {
		fmt.Fprintln(out, "advice (never fails):")
	}
	for _, f := range d.Advice {
		d.writeLine(out, "", f)
		if d.options.Verbose {
			d.writeChain(out, f)
		}
	}
}

// writeLine writes "file:line:col: message (category)".
func (d *document) writeLine(out *bufio.Writer, indent string, f *finding.Finding) {
	fmt.Fprintf(out, "%s%s: %s (%s)\n", indent, d.place(f.File, f.Line, f.Col), message(f), f.Category)
}

func (d *document) writeChain(out *bufio.Writer, f *finding.Finding) {
	for _, r := range f.Related {
		fmt.Fprintf(out, "\t%s: %s\n", d.place(r.File, r.Line, r.Col), r.Message)
	}
}

// writeHelper writes a helper as one problem: its own line and its first uses.
func (d *document) writeHelper(out *bufio.Writer, h *helper) {
	const indent = "    "
	switch {
	case h.source != nil:
		d.writeLine(out, "", h.source)
	case len(h.uses) == 1:
		d.writeLine(out, "", h.uses[0])
		return
	default:
		fmt.Fprintf(out, "%s: %s, which is accepted or outside of this run, has %s (%s)\n",
			d.place(h.at.File, h.at.Line, h.at.Col), h.at.Message, count(len(h.uses), "use"), h.uses[0].Category)
	}
	shown := h.uses[:min(len(h.uses), firstUsesInText)]
	for _, use := range shown {
		fmt.Fprintf(out, "%s%s: %s\n", indent, d.place(use.File, use.Line, use.Col), describeUse(use))
	}
	if more := len(h.uses) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s… and %s (-v lists all)\n", indent, count(more, "more use"))
	}
}

// describeUse says in few words what stands at a use.
func describeUse(use *finding.Finding) string {
	if use.Expr == "" || use.Symbol == "" {
		return message(use)
	}
	return "used by " + use.Symbol + ": " + use.Expr
}

// place returns "file:line:col" for a person in the working directory.
func (d *document) place(file string, line, col int) string {
	at := finding.Related{File: d.inDir(file), Line: line, Col: col}
	return at.Position()
}

// writePages writes the page of every rule that has a problem or advice.
func (d *document) writePages(out *bufio.Writer) {
	for _, rule := range rules.All() {
		if d.hasRule(rule.ID) {
			fmt.Fprintf(out, "\n%s\n", explain.Page(rule))
		}
	}
}
