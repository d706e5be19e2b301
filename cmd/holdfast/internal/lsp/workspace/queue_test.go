package workspace

import (
	"maps"
	"testing"
)

// TestWhatWasEditedIsNotKeptWaiting cancels runs, as somebody does who types on.
func TestWhatWasEditedIsNotKeptWaiting(t *testing.T) {
	q := newQueue()
	want := func(edited bool, dirs ...string) map[string]bool {
		t.Helper()
		got, isEdited := q.next()
		wanted := make(map[string]bool)
		for _, dir := range dirs {
			wanted[dir] = true
		}
		if !maps.Equal(got, wanted) || isEdited != edited {
			t.Fatalf("next is %v, edited %t; want %v, %t", got, isEdited, wanted, edited)
		}
		return got
	}
	edit := func(dir string) {
		q.first[dir] = true
		for _, open := range []string{"a", "b", "c"} {
			q.later[open] = true
		}
	}
	edit("a")
	cancelled := want(true, "a")
	edit("b")
	edit("c")
	q.back(cancelled, true)
	cancelled = want(true, "b", "c")
	q.back(cancelled, true) // because a file was saved
	want(true, "b", "c")
	cancelled = want(false, "a")
	q.back(cancelled, false) // because a file was saved
	edit("b")
	want(true, "b")
	cancelled = want(false, "a", "c")
	edit("b")
	q.back(cancelled, false)
	want(true, "b")
	want(false, "a", "c")
	if !q.empty() {
		t.Error("something is left")
	}
}
