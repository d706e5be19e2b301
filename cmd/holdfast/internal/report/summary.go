package report

import (
	"fmt"
	"os"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// summaryLimit is the size in bytes at which GitHub refuses a step's summary
// (GitHub Docs, "Workflow commands for GitHub Actions").
const summaryLimit = 1 << 20

// writeStepSummary appends the full table to the step's summary, as far as
// GitHub takes it.
func (d *document) writeStepSummary() (err error) {
	if d.options.StepSummary == "" {
		return nil
	}
	file, err := os.OpenFile(d.options.StepSummary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("opening the step's summary: %w", err)
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("opening the step's summary: %w", err)
	}
	_, err = file.WriteString(d.summary(summaryLimit - int(info.Size())))
	return err
}

// summary returns the report as Markdown of at most room bytes.
func (d *document) summary(room int) string {
	const reserve = 200 // for the line that counts what was left out
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", escapeMarkdown(d.LastLine()))
	rows := d.summaryRows()
	for i, row := range rows {
		if b.Len()+len(row)+reserve > room {
			fmt.Fprintf(&b, "\n… and %s, which would not fit here; the log has them.\n", count(len(rows)-i, "more row"))
			break
		}
		b.WriteString(row)
	}
	b.WriteByte('\n')
	if b.Len() > room {
		return ""
	}
	return b.String()
}

func (d *document) summaryRows() []string {
	var rows []string
	for _, text := range d.Errors {
		rows = append(rows, fmt.Sprintf("**Could not judge:** %s\n\n", escapeMarkdown(text)))
	}
	problems := d.problems()
	if len(problems) > 0 {
		rows = append(rows, "| place | rule | problem |\n| --- | --- | --- |\n")
	}
	for _, p := range problems {
		rows = append(rows, d.summaryRow(p.Finding))
	}
	if len(d.Advice) > 0 {
		rows = append(rows, "\n#### Advice (never fails)\n\n| place | rule | advice |\n| --- | --- | --- |\n")
	}
	for _, f := range d.Advice {
		rows = append(rows, d.summaryRow(f))
	}
	return rows
}

func (d *document) summaryRow(f *finding.Finding) string {
	return fmt.Sprintf("| %s | %s | %s |\n", escapeMarkdown(d.rootPlace(f)), d.ruleLink(f.Category), escapeMarkdown(message(f)))
}

func (d *document) ruleLink(id string) string {
	if uri := d.help[id]; uri != "" {
		return fmt.Sprintf("[%s](%s)", escapeMarkdown(id), uri)
	}
	return escapeMarkdown(id)
}

// escapeMarkdown shows a text as it is, on one line and in one cell.
func escapeMarkdown(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>|&#~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
