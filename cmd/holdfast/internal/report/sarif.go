package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/holdfast-go/holdfast"

	// fingerprint names the ratchet's key among a result's fingerprints.
	fingerprint = "holdfastRatchetKey/v1"
)

// writeSARIF writes SARIF 2.1.0. Regions end on the line that they start on:
// GitHub annotates a pull request only where all lines of a region changed.
func (d *document) writeSARIF(w io.Writer) error {
	run := sarifRun{
		ColumnKind:  "utf16CodeUnits",
		Results:     []sarifResult{},
		Invocations: []sarifInvocation{d.sarifInvocation()},
	}
	ids := d.ruleIDs()
	for _, id := range ids {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(id))
	}
	run.Tool.Driver.Name = "holdfast"
	run.Tool.Driver.Version = d.options.Version
	run.Tool.Driver.InformationURI = homepage
	for _, p := range d.problems() {
		result := d.sarifResult(p, slices.Index(ids, p.Category))
		result.Level, result.BaselineState = "error", "new"
		run.Results = append(run.Results, result)
	}
	for _, a := range d.Accepted {
		p := problem{a.Finding, ratchet.KeyOf(a.Finding).String()}
		result := d.sarifResult(p, slices.Index(ids, p.Category))
		result.Level, result.BaselineState = "note", "unchanged"
		result.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: a.Entry.Reason}}
		run.Results = append(run.Results, result)
	}
	for _, f := range d.Advice {
		p := problem{f, ratchet.KeyOf(f).String()}
		result := d.sarifResult(p, slices.Index(ids, p.Category))
		result.Level = "note"
		run.Results = append(run.Results, result)
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (d *document) sarifInvocation() sarifInvocation {
	invocation := sarifInvocation{ExecutionSuccessful: len(d.Errors) == 0, ExitCode: d.Exit()}
	for _, text := range d.Errors {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{text}})
	}
	return invocation
}

// ruleIDs returns the suite's rules and those of other analyzers that found
// something.
func (d *document) ruleIDs() []string {
	var ids []string
	for _, rule := range rules.All() {
		ids = append(ids, rule.ID)
	}
	own := len(ids)
	for _, p := range d.problems() {
		ids = append(ids, p.Category)
	}
	for _, a := range d.Accepted {
		ids = append(ids, a.Finding.Category)
	}
	for _, f := range d.Advice {
		ids = append(ids, f.Category)
	}
	others := slices.DeleteFunc(ids[own:], func(id string) bool { return slices.Contains(ids[:own], id) })
	slices.Sort(others)
	return append(ids[:own:own], slices.Compact(others)...)
}

func sarifRuleOf(id string) sarifRule {
	rule, ok := rules.Find(id)
	if !ok {
		return sarifRule{ID: id}
	}
	return sarifRule{
		ID:               id,
		ShortDescription: &sarifText{rule.Title},
		FullDescription:  &sarifText{firstParagraph(rule.Text)},
		Help:             &sarifHelp{Text: rule.Text, Markdown: rule.Markdown},
		HelpURI:          rule.HelpURI,
	}
}

func firstParagraph(text string) string {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(paragraph), " ")
}

func (d *document) sarifResult(p problem, ruleIndex int) sarifResult {
	result := sarifResult{
		RuleID:              p.Category,
		RuleIndex:           ruleIndex,
		Message:             sarifText{message(p.Finding)},
		Locations:           []sarifLocation{{Physical: d.sarifPlace(p.File, p.Line, p.Col, p.EndLine, p.EndCol)}},
		PartialFingerprints: map[string]string{fingerprint: p.key},
	}
	if len(p.Platforms) > 0 {
		result.Properties = map[string][]string{"platforms": p.Platforms}
	}
	for i, r := range p.Related {
		result.Related = append(result.Related, sarifLocation{
			ID:       i + 1,
			Physical: d.sarifPlace(r.File, r.Line, r.Col, r.EndLine, r.EndCol),
			Message:  &sarifText{r.Message},
		})
	}
	if len(p.Related) > 0 {
		result.CodeFlows = []sarifCodeFlow{sarifFlow(result)}
	}
	for _, fix := range p.Fixes {
		if f, ok := d.sarifFix(fix); ok {
			result.Fixes = append(result.Fixes, f)
		}
	}
	return result
}

// sarifFlow returns the way from the finding to its source, which GitHub shows
// as a path; it does not show related locations.
func sarifFlow(result sarifResult) sarifCodeFlow {
	start := result.Locations[0]
	start.Message = &result.Message
	steps := []sarifStep{{start}}
	for _, r := range result.Related {
		r.ID = 0
		steps = append(steps, sarifStep{r})
	}
	return sarifCodeFlow{[]sarifThreadFlow{{steps}}}
}

func (d *document) sarifPlace(file string, line, col, endLine, endCol int) sarifPhysical {
	place := sarifPhysical{Artifact: d.sarifArtifact(file)}
	if line > 0 {
		s := d.sources.span(file, line, col, endLine, endCol)
		place.Region = &sarifRegion{StartLine: s.line, StartColumn: s.start, EndColumn: s.end}
	}
	return place
}

func (d *document) sarifArtifact(file string) sarifArtifact {
	path := d.inRoot(file)
	if !filepath.IsAbs(filepath.FromSlash(path)) {
		relative := url.URL{Path: path}
		return sarifArtifact{URI: relative.String(), BaseID: "%SRCROOT%"}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows volume
	}
	absolute := url.URL{Scheme: "file", Path: path}
	return sarifArtifact{URI: absolute.String()}
}

// sarifFix returns nothing if a file of the fix cannot be read: its edits are
// byte offsets, and SARIF wants lines and columns.
func (d *document) sarifFix(fix finding.Fix) (sarifFix, bool) {
	result := sarifFix{Description: sarifText{fix.Message}}
	for _, e := range fix.Edits {
		line, col, okStart := d.sources.position(e.File, e.Start)
		endLine, endCol, okEnd := d.sources.position(e.File, e.End)
		if !okStart || !okEnd {
			return sarifFix{}, false
		}
		replacement := sarifReplacement{
			Deleted:  sarifRegion{StartLine: line, StartColumn: col, EndLine: endLine, EndColumn: endCol},
			Inserted: sarifText{e.New},
		}
		i := slices.IndexFunc(result.Changes, func(c sarifChange) bool { return c.Artifact == d.sarifArtifact(e.File) })
		if i < 0 {
			i = len(result.Changes)
			result.Changes = append(result.Changes, sarifChange{Artifact: d.sarifArtifact(e.File)})
		}
		result.Changes[i].Replacements = append(result.Changes[i].Replacements, replacement)
	}
	return result, len(result.Changes) > 0
}
