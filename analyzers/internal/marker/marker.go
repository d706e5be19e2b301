// Package marker reads the two ways in which source code talks back to the
// suite: markers, which accept one finding for a stated reason, and
// directives, which tell an analyzer what a declaration is.
//
//	cmd.SysProcAttr = attrs // detached-spawn: ok — the updater must outlive the old binary
//
//	//holdfast:loop allow=disk
//	func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { … }
//
// A marker stands in a real comment on the finding's line or alone on the line
// above. Positions are physical: a //line directive does not move them.
package marker

import (
	"go/ast"
	"go/token"
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
	Blocking    Verb = "blocking"    // counts as blocking work wherever it is called
	Nonblocking Verb = "nonblocking" // never blocks, whatever its body seems to say
	Offloop     Verb = "offloop"     // runs its function argument elsewhere
	Owns        Verb = "owns"        // takes the life of what it starts in hand; a reason follows
)

// A Marker is one well-formed "rule: ok — reason" comment.
type Marker struct {
	Rule   Rule
	Reason string
	Pos    token.Pos // of the comment
	End    token.Pos
	Line   int  // physical line of the comment
	Alone  bool // nothing but the comment stands on its line
}

// A Directive is one well-formed "//holdfast:verb …" comment.
type Directive struct {
	Verb   Verb
	Args   []string          // words without "=", in order (parameter names, for example)
	Values map[string]string // key=value words
	Reason string            // all text after the verb; the reason of owns
	Pos    token.Pos
	End    token.Pos
	Line   int
}

// A Problem is a marker or directive that does not say what it means to say:
// misspelt, without a reason, of an unknown rule or verb, or given twice.
type Problem struct {
	Pos, End token.Pos
	Message  string
}

// A File holds the markers and directives of one source file.
// It is read-only after Read and safe for concurrent use.
type File struct {
	Markers    []*Marker    // by position
	Directives []*Directive // by position
	Problems   []Problem    // by position

	fset *token.FileSet
}

// Used is what an analyzer returns as its result: the positions of the markers
// and directives that changed what it reported. The markers analyzer reports
// the others as unused.
type Used map[token.Pos]bool

// Read collects the markers and directives of a parsed file. The file must
// have been parsed with comments; type information is not needed, so files
// that a build constraint excludes are read alike.
func Read(fset *token.FileSet, file *ast.File) *File {
	panic("not written yet")
}

// Find returns the marker of the rule that covers any of the given positions, or nil:
// one on the position's physical line, or alone on the line above.
// Analyzers pass the position of the finding and that of its statement.
func (f *File) Find(rule Rule, positions ...token.Pos) *Marker {
	panic("not written yet")
}

// On returns the directives of the verb that belong to a declaration: in its
// doc comment, on its first line, or on the line above.
// node is an *ast.FuncDecl, *ast.FuncLit, *ast.Field, *ast.GenDecl or an ast.Spec.
func (f *File) On(node ast.Node, verb Verb) []*Directive {
	panic("not written yet")
}
