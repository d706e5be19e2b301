package marker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"
)

// FuzzMarker reads arbitrary source and checks what must hold of every result.
func FuzzMarker(f *testing.F) {
	for _, body := range []string{
		"x() // detached-spawn: ok — one two three",
		"// loop-block: ok -- one two\n// three\nx()",
		"/*\r\n\t* detached-spawn: ok – one two three\r\n*/ x()",
		"//detached-spawn:ok one two three",
		"// Detached_Spawn ok: why",
		"x() //nolint:all // detached-spawn: ok: one two three // loop-block: ok, one two three",
		"//line a.go:7\n// detached-spawn: ok — https://example.com/why",
	} {
		f.Add("package p\nfunc f() {\n" + body + "\n}\n")
	}
	f.Add("\ufeffpackage p // loop-block: ok — one two three")
	f.Fuzz(func(t *testing.T, src string) { checkFile(t, src) })
}

// FuzzDirective puts arbitrary text behind "//holdfast:" in front of every kind of declaration.
func FuzzDirective(f *testing.F) {
	for _, text := range []string{
		"loop", "loop allow=disk,fsync cb", "worker — reads stdin", "blocking kinds=net", "nonblocking trust",
		"offloop cb", "owns it kills the group", "lopp", "loop allow=disc", "owns", " loop", "loop\n//holdfast:worker",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, declaration := range []string{
			"func f(cb func()) {}",
			"type t struct {\n//holdfast:" + text + "\nf func(cb func()) }",
			"var v = func(cb func()) {}",
		} {
			checkFile(t, "package p\n\n//holdfast:"+text+"\n"+declaration)
		}
	})
}

func checkFile(t *testing.T, src string) {
	fset := token.NewFileSet()
	syntax, _ := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if syntax == nil {
		return
	}
	f := Read(fset, syntax)
	for _, m := range f.Markers {
		checkInside(t, syntax, m.Pos, m.End)
		checkMarkerRoundTrip(t, m)
		if f.Find(m.Rule, f.file.LineStart(m.Line)) == nil && m.Covers == m.Line {
			t.Errorf("Find does not give %v back", m)
		}
		f.RemoveMarker(m)
	}
	for _, d := range f.Directives {
		checkInside(t, syntax, d.Pos, d.End)
		checkDirectiveRoundTrip(t, d)
		f.RemoveDirective(d)
	}
	for _, p := range f.Problems {
		checkInside(t, syntax, p.Pos, p.End)
		for _, fix := range p.Fixes {
			for _, edit := range fix.TextEdits {
				checkInside(t, syntax, edit.Pos, edit.End)
			}
		}
	}
	if len(f.Markers)+len(f.Directives)+len(f.Problems) > 0 && !Mentions([]byte(src)) {
		t.Errorf("Mentions denies %d markers, %d directives, %v", len(f.Markers), len(f.Directives), f.Problems)
	}
}

// checkInside wants a range to lie within the text of one comment.
func checkInside(t *testing.T, syntax *ast.File, pos, end token.Pos) {
	t.Helper()
	for _, group := range syntax.Comments {
		for _, c := range group.List {
			// Text lacks the carriage returns of a block comment.
			stop := c.End() + token.Pos(strings.Count(c.Text, "\n"))
			if c.Pos() <= pos && pos < end && end <= stop {
				return
			}
		}
	}
	t.Errorf("%d-%d is in no comment", pos, end)
}

func checkMarkerRoundTrip(t *testing.T, m *Marker) {
	t.Helper()
	again, near := parseMarker(strings.TrimPrefix(m.String(), "// "))
	if near != nil || again == nil || again.Rule != m.Rule || again.Reason != m.Reason {
		t.Errorf("%q reads back as %v", m, again)
	}
}

func checkDirectiveRoundTrip(t *testing.T, d *Directive) {
	t.Helper()
	comment := &ast.Comment{Slash: 1, Text: d.String()}
	l := newLine(comment, comment.Text[2:], 3, 1)
	l.tight = true
	s := segment{line: l, text: l.text, pos: l.pos, start: 1}
	if !s.parse() || s.directive == nil {
		t.Fatalf("%q does not read back: %v", d, s.problems)
	}
	again := s.directive
	if again.Verb != d.Verb || again.Reason != d.Reason ||
		!reflect.DeepEqual(again.Args, d.Args) || !reflect.DeepEqual(again.Values, d.Values) {
		t.Errorf("%q reads back as %q", d, again)
	}
}
