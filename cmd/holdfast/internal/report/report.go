// Package report writes what a run found: as text for a person, as JSON, SARIF
// or checkstyle for a program, as annotations for GitHub.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// A Report is the outcome of a run.
type Report struct {
	New      []*finding.Finding // identified (see ratchet.Identify), in any order
	Advice   []*finding.Finding // likewise; it never fails a run
	Accepted []ratchet.Accepted
	Stale    []ratchet.Stale
	Grown    []ratchet.Entry // entries that the base does not have
	Baseline []ratchet.Entry // all of the baseline's entries
	Base     *Base           // nil if the baseline was not compared

	Errors    []string // what could not be judged, and why
	Platforms []string // values of GOOS that were run
	Packages  int      // how many packages were judged
	LeftOut   []string // modules of the workspace that were not
}

// Base is what the baseline was compared with.
type Base struct {
	Revision string
	Entries  int
}

// The exit codes of a run.
const (
	ExitClean          = 0
	ExitProblems       = 1 // findings, stale entries, or a baseline that grew
	ExitCouldNotJudge  = 2
	firstUsesInText    = 3
	annotationsPerStep = 10 // of each level; GitHub drops what comes after, without a word
)

// Exit returns the exit code that the report calls for.
func (r *Report) Exit() int {
	switch {
	case len(r.Errors) > 0:
		return ExitCouldNotJudge
	case len(r.New)+len(r.Stale)+len(r.Grown) > 0:
		return ExitProblems
	}
	return ExitClean
}

// A Format is a way to write a report.
type Format string

// The formats.
const (
	Text       Format = "text"
	JSON       Format = "json"
	SARIF      Format = "sarif"
	GitHub     Format = "github"
	Checkstyle Format = "checkstyle"
)

// Formats lists the formats as a flag's help shows them.
const Formats = "text, json, sarif, github or checkstyle"

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	format := Format(name)
	if slices.Contains([]Format{Text, JSON, SARIF, GitHub, Checkstyle}, format) {
		return format, nil
	}
	return "", fmt.Errorf("unknown format %q: use %s", name, Formats)
}

// Options say where the report is read.
type Options struct {
	// Dir is the absolute working directory: paths in text are relative to it.
	Dir string
	// Root is the absolute directory that paths in all other formats are
	// relative to: that of the repository (see git.Root), or else of the module.
	Root string
	// BaselineFile is the absolute path of the baseline.
	BaselineFile string
	// Version is that of holdfast.
	Version string

	// Verbose makes text print every finding on a line of its own, with its chain.
	Verbose bool
	// Explain makes text end with the pages of the rules that it names.
	Explain bool

	// Changed are the lines that GitHub annotations should stand on first; nil
	// prefers none.
	Changed Changes
	// StepSummary is the file of the GitHub step's summary; empty writes none.
	StepSummary string
}

// Write writes a report. Errors that could not be judged are part of every
// format but text and checkstyle, where they belong on standard error.
func Write(w io.Writer, format Format, r *Report, o Options) error {
	d := newDocument(r, o)
	var err error
	switch format {
	case Text:
		err = d.writeText(w)
	case JSON:
		err = d.writeJSON(w)
	case SARIF:
		err = d.writeSARIF(w)
	case GitHub:
		err = d.writeGitHub(w)
	case Checkstyle:
		err = d.writeCheckstyle(w)
	default:
		_, err = ParseFormat(string(format))
	}
	if err != nil {
		return fmt.Errorf("writing the report as %s: %w", format, err)
	}
	return nil
}

// LastLine returns the report in one line, without a line break:
//
//	holdfast: clean: 12 packages on linux, darwin, windows; ratchet: no exceptions
func (r *Report) LastLine() string {
	line := fmt.Sprintf("holdfast: %s: %s on %s; ratchet: %s",
		r.verdict(), count(r.Packages, "package"), strings.Join(r.Platforms, ", "), r.ratchetState())
	if len(r.Advice) > 0 {
		line += fmt.Sprintf("; advice: %d", len(r.Advice))
	}
	if len(r.LeftOut) > 0 {
		line += "; left out: " + strings.Join(r.LeftOut, ", ")
	}
	return line
}

func (r *Report) verdict() string {
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{{len(r.New), "finding"}, {len(r.Stale), "stale baseline entry"}, {len(r.Grown), "new baseline entry"}} {
		if part.n > 0 {
			parts = append(parts, count(part.n, part.noun))
		}
	}
	if len(r.Errors) > 0 {
		parts = slices.Insert(parts, 0, "could not judge everything ("+count(len(r.Errors), "error")+")")
	}
	if len(parts) == 0 {
		return "clean"
	}
	return strings.Join(parts, ", ")
}

func (r *Report) ratchetState() string {
	state := "no exceptions"
	if n := len(r.Baseline); n > 0 {
		packages := make(map[string]bool)
		for _, e := range r.Baseline {
			packages[e.Package] = true
		}
		state = fmt.Sprintf("%d accepted in %s", n, count(len(packages), "package"))
	}
	if r.Base != nil {
		state += fmt.Sprintf(" (%d at base)", r.Base.Entries)
	}
	return state
}

// count returns "1 entry", "2 entries".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
