package markers

import (
	"go/parser"
	"go/token"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
)

// A Note is a well-formed marker or directive in a file.
type Note struct {
	Start, End int    // byte offsets in the source
	Line       int    // 1-based physical line
	Covers     int    // 1-based physical line of what it speaks of
	Rule       string // of a marker, such as "detached-spawn"
	Verb       string // of a directive, such as "owns"
	Text       string // as it is best written
	Reason     string // may be empty for a directive
}

// Meaning says what a directive tells the suite, as a sentence about its
// declaration. It is empty for a marker.
func (n Note) Meaning() string {
	switch marker.Verb(n.Verb) {
	case marker.Loop:
		return "Runs on an event loop: what it waits for is a finding, except for the kinds in allow=."
	case marker.Worker:
		return "Has a loop of its own that may block: nothing else waits for it."
	case marker.Blocking:
		return "Counts as blocking work wherever an event loop calls it."
	case marker.Nonblocking:
		return "Never blocks: calls of it are not followed."
	case marker.Offloop:
		return "Runs the functions that it is given elsewhere than on the loop that calls it."
	case marker.Owns:
		return "Takes the life of what it starts in hand: its callers need no marker."
	}
	return ""
}

// Read returns the markers and directives of a file, in order, as far as its
// source parses.
func Read(source []byte) []Note {
	if !marker.Mentions(source) {
		return nil
	}
	fset := token.NewFileSet()
	syntax, _ := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if syntax == nil || !syntax.FileStart.IsValid() {
		return nil
	}
	file, lines := marker.Read(fset, syntax), fset.File(syntax.FileStart)
	var notes []Note
	for _, m := range file.Markers {
		notes = append(notes, Note{
			Start: lines.Offset(m.Pos), End: lines.Offset(m.End), Line: m.Line, Covers: m.Covers,
			Rule: string(m.Rule), Text: m.String(), Reason: m.Reason,
		})
	}
	for _, d := range file.Directives {
		notes = append(notes, Note{
			Start: lines.Offset(d.Pos), End: lines.Offset(d.End), Line: d.Line, Covers: d.Covers,
			Verb: string(d.Verb), Text: d.String(), Reason: d.Reason,
		})
	}
	return notes
}

// HasMarker reports whether findings of a category can be accepted by a marker.
func HasMarker(category string) bool {
	return category == string(marker.DetachedSpawn) || category == string(marker.LoopBlock)
}

// Placeholder returns a marker for a person to complete. Its reason is none, so
// that the suite asks for one until there is.
func Placeholder(category string) string {
	m := marker.Marker{Rule: marker.Rule(category), Reason: "why?"}
	return strings.TrimSpace(m.String())
}
