package markers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
)

func TestRead(t *testing.T) {
	const source = "package p\n\n//holdfast:loop allow=disk\nfunc f() {\n\tg() // loop-block: ok — one two three\n}\n"
	want := []Note{
		{Start: 47 + 9, End: 47 + 9 + 40, Line: 5, Covers: 5, Rule: "loop-block", Text: "// loop-block: ok — one two three", Reason: "one two three"},
		{Start: 11, End: 37, Line: 3, Covers: 4, Verb: "loop", Text: "//holdfast:loop allow=disk"},
	}
	got := Read([]byte(source))
	for i := range got { // by what stands there, which the eye can check
		if source[got[i].Start:got[i].End] != got[i].Text {
			t.Errorf("%q stands where %q should", source[got[i].Start:got[i].End], got[i].Text)
		}
		got[i].Start, got[i].End, want[i].Start, want[i].End = 0, 0, 0, 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, broken := range []string{"", "nonsense //holdfast:loop", "package p\n\nfunc f( {\n// loop-block: ok — one two three\n"} {
		Read([]byte(broken)) // must not panic
	}
}

// TestPlaceholder is one that nobody can leave as it is, for every rule that has a marker.
func TestPlaceholder(t *testing.T) {
	for _, rule := range []marker.Rule{marker.DetachedSpawn, marker.LoopBlock} {
		if !HasMarker(string(rule)) {
			t.Errorf("%s has no marker", rule)
		}
		if notes := Read([]byte("package p\n\n" + Placeholder(string(rule)) + "\nvar x = 1\n")); notes != nil {
			t.Errorf("the placeholder of %s is taken for a reason: %v", rule, notes)
		}
	}
	if HasMarker(Category) {
		t.Error("findings about markers can be accepted")
	}
}

func TestEveryVerbHasAMeaning(t *testing.T) {
	for _, verb := range []marker.Verb{marker.Loop, marker.Worker, marker.Blocking, marker.Nonblocking, marker.Offloop, marker.Owns} {
		if (Note{Verb: string(verb)}).Meaning() == "" {
			t.Errorf("%s has none", verb)
		}
	}
}
