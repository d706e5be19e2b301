package status

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

func TestFieldsBecomeJSON(t *testing.T) {
	type custom int8
	marshalled, err := Marshal("v", map[string]any{"b": []int{1, 2}, "a": nil})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		field Field
		want  string
	}{
		{String("v", "a \"b\" <c> \n\xff é"), `{"v":"a \"b\" <c> \n\ufffd é"}`},
		{Int("v", custom(-7)), `{"v":-7}`},
		{Int("v", int64(math.MinInt64)), `{"v":-9223372036854775808}`},
		{Uint("v", uint64(math.MaxUint64)), `{"v":18446744073709551615}`},
		{Float("v", 0.1), `{"v":0.1}`},
		{Float("v", math.NaN()), `{"v":null}`},
		{Float("v", math.Inf(-1)), `{"v":null}`},
		{Bool("v", true), `{"v":true}`},
		{Bool("v", false), `{"v":false}`},
		{Null("v"), `{"v":null}`},
		{Time("v", time.Date(2026, 3, 1, 12, 0, 0, 5000, time.FixedZone("", 3600))), `{"v":"2026-03-01T11:00:00.000005Z"}`},
		{Time("v", time.Time{}), `{"v":"0001-01-01T00:00:00Z"}`},
		{marshalled, `{"v":{"a":null,"b":[1,2]}}`},
		{Int("a/b/c", 1), `{"a":{"b":{"c":1}}}`},
		{Int(Join("a/b", "c~1"), 1), `{"a/b":{"c~1":1}}`},
		{Int("", 1), `{"":1}`},
		{Int("a//b", 1), `{"a":{"":{"b":1}}}`},
		{Delete("v"), `{}`},
	}
	for _, test := range tests {
		var s snapshot
		s.apply([]Field{test.field})
		root := newObject()
		root.overlay(s.updates())
		if got := string(root.append(nil)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if _, err := Marshal("v", func() {}); err == nil {
		t.Error("a function was marshalled")
	}
}

func TestTheLaterOfTwoPathsThatExcludeEachOtherWins(t *testing.T) {
	tests := map[string]struct {
		fields []Field
		want   string
	}{
		"a value where an object was":       {[]Field{Int("a/b", 1), Int("a/c", 2), Int("ab", 3), Int("a", 4)}, `{"ab":3,"a":4}`},
		"an object where a value was":       {[]Field{Int("a", 1), Int("a/b/c", 2)}, `{"a":{"b":{"c":2}}}`},
		"and back":                          {[]Field{Int("a", 1), Int("a/b", 2), Int("a", 1)}, `{"a":1}`},
		"a deletion of an object":           {[]Field{Int("a/b", 1), Int("c", 2), Delete("a")}, `{"c":2}`},
		"a field below what was taken away": {[]Field{Delete("a"), Int("a/b", 1)}, `{"a":{"b":1}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var s snapshot
			for _, f := range test.fields {
				s.apply([]Field{f})
			}
			root := newObject()
			root.overlay(s.updates())
			if got := string(root.append(nil)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestDeletionIsDoneOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		if err := w.Write(t.Context(), Int("a/b", 1), Int("c", 2)); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(t.Context(), Delete("a/b")); err != nil {
			t.Fatal(err)
		}
		if disk.text() != `{"a":{},"c":2}` {
			t.Errorf("after the deletion: %s", disk.text())
		}
		disk.set(func(d *fakeDisk) { d.root.set([]string{"a", "b"}, []byte("3")) }) // by somebody else
		if err := w.Write(t.Context(), Int("c", 4)); err != nil {
			t.Fatal(err)
		}
		if disk.text() != `{"a":{"b":3},"c":4}` {
			t.Errorf("another's field is deleted again: %s", disk.text())
		}
		closeWriter(t, w)
	})
}
