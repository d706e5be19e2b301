// Package marker reads the two ways in which source code talks back to the
// suite: markers, which accept one finding for a stated reason, and
// directives, which tell an analyzer what a declaration is.
//
//	cmd.SysProcAttr = attrs // detached-spawn: ok — the updater must outlive the old binary
//
//	//holdfast:loop allow=disk
//	func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { … }
//
// A marker stands in a real comment on the finding's line, or alone on the line
// above. A block of comment lines that ends on the line above covers the finding
// too, so that a reason may wrap. A comment behind the previous statement does
// not reach the next line. A directive belongs to a declaration in the same way:
// in its doc comment, on its first line or on the line above.
//
// Positions are physical: a //line directive does not move them.
package marker

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// A Rule is the category that a marker accepts.
type Rule string

// The rules that have a marker.
const (
	DetachedSpawn Rule = "detached-spawn"
	LoopBlock     Rule = "loop-block"
)

// A Verb is what a //holdfast: directive says of its declaration.
type Verb string

// The verbs of the suite.
const (
	Loop        Verb = "loop"        // runs on an event loop; allow=kind,… lists what it may wait for
	Worker      Verb = "worker"      // a loop of its own that may block; nothing else waits for it
	Blocking    Verb = "blocking"    // counts as blocking work wherever it is called, of kinds=kind,… if given
	Nonblocking Verb = "nonblocking" // never blocks; with the word trust, whatever its body seems to say
	Offloop     Verb = "offloop"     // runs its function arguments elsewhere
	Owns        Verb = "owns"        // takes the life of what it starts in hand; a reason follows
)

// A Marker is one well-formed "rule: ok — reason" comment.
type Marker struct {
	Rule   Rule
	Reason string    // with the lines it wraps onto, joined by single spaces
	Pos    token.Pos // of the comment, or of the part of it that is the marker
	End    token.Pos // where that ends on the marker's first line
	Line   int       // physical line of Pos
	Covers int       // physical line whose findings it accepts
	Alone  bool      // nothing but comments stands on its line

	comment *ast.Comment
	last    int // physical line on which its reason ends
}

// A Directive is one well-formed "//holdfast:verb …" comment.
type Directive struct {
	Verb   Verb
	Args   []string          // words without "=", in order (parameter names, for example)
	Values map[string]string // key=value words
	Reason string            // text after a separator; of owns, all text after the verb
	Pos    token.Pos
	End    token.Pos
	Line   int // physical line of Pos
	Covers int // physical line of the declaration it belongs to

	comment *ast.Comment
}

// A Problem is a marker or directive that does not say what it means to say:
// misspelt, without a reason, of an unknown rule or verb, given twice, or
// attached to nothing.
type Problem struct {
	Pos, End token.Pos
	Message  string
	Fixes    []analysis.SuggestedFix // at most one: the right spelling, where the intent is certain
}

// A File holds the markers and directives of one source file.
// It is read-only after Read and safe for concurrent use.
type File struct {
	Markers    []*Marker    // by position, without duplicates
	Directives []*Directive // by position
	Problems   []Problem    // by position

	fset     *token.FileSet
	file     *token.File
	covering map[cover]*Marker
	attached map[ast.Node][]*Directive
}

// A cover is what a marker accepts: the findings of a rule on a line.
type cover struct {
	rule Rule
	line int
}

// Used is what an analyzer returns as its result: the positions (Pos) of the
// markers and directives that changed what it reported. The markers analyzer
// reports the others as unused.
type Used map[token.Pos]bool

// Read collects the markers and directives of a parsed file. The file must
// have been parsed with comments; type information is not needed, so files
// that a build constraint excludes are read alike.
func Read(fset *token.FileSet, file *ast.File) *File {
	f := &File{fset: fset, file: fset.File(file.FileStart)}
	if f.file == nil {
		return f // an empty or synthetic file
	}
	segments := collect(f.file, file)
	if len(segments) == 0 {
		return f
	}
	layout := newLayout(f.file, file)
	for _, s := range segments {
		if layout.reads(s) {
			f.add(s, layout)
		}
	}
	f.dropDuplicates()
	f.attach(file)
	slices.SortStableFunc(f.Problems, func(a, b Problem) int { return int(a.Pos - b.Pos) })
	return f
}

// Find returns the marker of the rule that covers any of the given positions, or nil:
// one on the position's physical line, or alone on the line above.
// Analyzers pass the position of the finding and that of its statement.
func (f *File) Find(rule Rule, positions ...token.Pos) *Marker {
	if len(f.covering) == 0 {
		return nil
	}
	for _, pos := range positions {
		if !f.contains(pos) {
			continue
		}
		if m := f.covering[cover{rule, physicalLine(f.file, pos)}]; m != nil {
			return m
		}
	}
	return nil
}

// On returns the directives of the verb that belong to a declaration: in its
// doc comment, on its first line, or on the line above.
// node is an *ast.FuncDecl, *ast.FuncLit, *ast.Field, *ast.GenDecl or an ast.Spec
// of the tree that Read was given.
func (f *File) On(node ast.Node, verb Verb) []*Directive {
	var found []*Directive
	for _, d := range f.attached[node] {
		if d.Verb == verb {
			found = append(found, d)
		}
	}
	return found
}

// contains reports whether the position lies in this file.
func (f *File) contains(pos token.Pos) bool {
	return f.file != nil && within(f.file, pos)
}

// add files a segment under what it turns out to be.
func (f *File) add(s segment, l *layout) {
	switch {
	case s.marker != nil:
		f.addMarker(s, l)
	case s.directive != nil:
		s.directive.Covers = l.covers(s)
		f.Directives = append(f.Directives, s.directive)
	}
	f.Problems = append(f.Problems, s.problems...)
}

// addMarker completes a marker with what its surroundings say: the rest of its
// reason and the line it covers. Without a reason it is a problem instead.
func (f *File) addMarker(s segment, l *layout) {
	m := s.marker
	m.Alone = l.alone(s.line)
	m.Covers = l.covers(s)
	if m.Alone {
		m.Reason, m.last = l.wrapped(s)
	}
	if complaint := Complaint(m.Reason); complaint != "" {
		f.Problems = append(f.Problems, Problem{
			Pos: m.Pos, End: m.End,
			Message: "this " + string(m.Rule) + " marker " + complaint,
		})
		return
	}
	f.Markers = append(f.Markers, m)
}

// dropDuplicates keeps the first of the markers that cover one line for one rule.
func (f *File) dropDuplicates() {
	f.covering = make(map[cover]*Marker, len(f.Markers))
	f.Markers = slices.DeleteFunc(f.Markers, func(m *Marker) bool {
		key := cover{m.Rule, m.Covers}
		if f.covering[key] == nil {
			f.covering[key] = m
			return false
		}
		f.Problems = append(f.Problems, Problem{
			Pos: m.Pos, End: m.End,
			Message: "duplicate " + string(m.Rule) + " marker: another one already covers this line, keep the better reason",
		})
		return true
	})
}
