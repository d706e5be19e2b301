package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// writeGitHub writes workflow commands for the annotations of one step, and
// everything as text in a folded part of the log: GitHub shows ten annotations
// of a step and drops the others.
func (d *document) writeGitHub(w io.Writer) error {
	out := bufio.NewWriter(w)
	commands := d.annotations()
	for _, command := range commands[:min(len(commands), annotationsPerStep)] {
		fmt.Fprintln(out, command)
	}
	room := annotationsPerStep
	if dropped := len(commands) - annotationsPerStep; dropped > 0 {
		text := fmt.Sprintf("%s; %s without an annotation, see the log or the summary of the job", d.LastLine(), count(dropped, "more problem"))
		fmt.Fprintf(out, "::notice title=holdfast::%s\n", escapeData(text))
		room--
	}
	for _, f := range d.Advice[:min(len(d.Advice), room)] {
		fmt.Fprintln(out, d.annotation("notice", f))
	}
	if len(commands)+len(d.Advice) > 0 {
		fmt.Fprintln(out, "::group::all problems as text")
		if err := out.Flush(); err != nil {
			return err
		}
		if err := d.writeText(w); err != nil {
			return err
		}
		fmt.Fprintln(out, "::endgroup::")
	} else {
		fmt.Fprintln(out, d.LastLine())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return d.writeStepSummary()
}

// WriteGitHubError writes the annotation of a run that came to no report.
func WriteGitHubError(w io.Writer, err error) {
	fmt.Fprintln(w, couldNotJudge(err.Error()))
}

func couldNotJudge(text string) string {
	return "::error title=holdfast could not judge::" + escapeData(text)
}

// annotations returns an error command for all that is wrong, what matters most
// first: what could not be judged, findings on changed lines, the baseline's
// faults, and the other findings.
func (d *document) annotations() []string {
	var commands []string
	for _, text := range d.Errors {
		commands = append(commands, couldNotJudge(text))
	}
	problems := d.problems()
	slices.SortStableFunc(problems, func(a, b problem) int { return d.urgency(a) - d.urgency(b) })
	for _, p := range problems {
		commands = append(commands, d.annotation("error", p.Finding))
	}
	return commands
}

func (d *document) urgency(p problem) int {
	switch {
	case d.options.Changed.Touch(p.File, p.Line, p.EndLine):
		return 0
	case p.File == d.options.BaselineFile:
		return 1
	}
	return 2
}

func (d *document) annotation(level string, f *finding.Finding) string {
	properties := []string{"file=" + escapeProperty(d.inRoot(f.File))}
	if f.Line > 0 {
		s := d.sources.span(f.File, f.Line, f.Col, f.EndLine, f.EndCol)
		properties = append(properties, fmt.Sprintf("line=%d", s.line), fmt.Sprintf("endLine=%d", s.line))
		if s.start > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", s.start), fmt.Sprintf("endColumn=%d", s.end))
		}
	}
	properties = append(properties, "title="+escapeProperty(f.Category))
	return "::" + level + " " + strings.Join(properties, ",") + "::" + escapeData(message(f))
}

// escapeData and escapeProperty follow the commands of @actions/core.
func escapeData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(text))
}
