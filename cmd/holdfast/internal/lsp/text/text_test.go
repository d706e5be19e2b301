package text

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

func TestPositions(t *testing.T) {
	text := New("aé世🙂b\r\n\r🙂\nlast")
	tests := []struct {
		offset int
		want   protocol.Position
	}{
		{0, protocol.Position{}},
		{1, protocol.Position{Character: 1}},
		{3, protocol.Position{Character: 2}},
		{6, protocol.Position{Character: 3}},
		{10, protocol.Position{Character: 5}},
		{11, protocol.Position{Character: 6}},
		{13, protocol.Position{Line: 1}},
		{14, protocol.Position{Line: 2}},
		{18, protocol.Position{Line: 2, Character: 2}},
		{19, protocol.Position{Line: 3}},
		{23, protocol.Position{Line: 3, Character: 4}},
	}
	for _, test := range tests {
		if got := text.Position(test.offset); got != test.want {
			t.Errorf("Position(%d) = %v, want %v", test.offset, got, test.want)
		}
		if got := text.Offset(test.want); got != test.offset {
			t.Errorf("Offset(%v) = %d, want %d", test.want, got, test.offset)
		}
	}
	for position, want := range map[protocol.Position]int{
		{Line: -1}:                 0,
		{Line: 0, Character: 4}:    6, // inside of the emoji
		{Line: 0, Character: 1000}: 11,
		{Line: 3, Character: 1000}: 23,
		{Line: 9}:                  23,
	} {
		if got := text.Offset(position); got != want {
			t.Errorf("Offset(%v) = %d, want %d", position, got, want)
		}
	}
}

// TestLinesOfTheGoCommand end with line feeds alone.
func TestLinesOfTheGoCommand(t *testing.T) {
	text := New("a\rb\nc")
	if got := text.Position(text.At(2, 1)); got != (protocol.Position{Line: 2}) {
		t.Errorf("line 2 of the go command is at %v", got)
	}
	for at, want := range map[[2]int]int{{0, 0}: 0, {1, 2}: 1, {9, 1}: 5, {2, 99}: 5} {
		if got := text.At(at[0], at[1]); got != want {
			t.Errorf("At(%v) = %d, want %d", at, got, want)
		}
	}
}

func TestChangesBuildOnEachOther(t *testing.T) {
	text, err := New("one\ntwo\n").Apply([]protocol.Change{
		{Range: &protocol.Range{Start: protocol.Position{Line: 1}, End: protocol.Position{Line: 1, Character: 3}}, Text: "🙂\n2"},
		{Range: &protocol.Range{Start: protocol.Position{Line: 1, Character: 2}, End: protocol.Position{Line: 2, Character: 1}}, Text: "!"},
	})
	if err != nil || text.String() != "one\n🙂!\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := text.Apply([]protocol.Change{{Range: &protocol.Range{Start: protocol.Position{Line: 1}}}}); err == nil {
		t.Error("a range that ends before it begins was taken")
	}
}

// FuzzPositions holds them against the encoding of the standard library.
func FuzzPositions(f *testing.F) {
	f.Add("aé世🙂b\nnext", 7)
	f.Add("\xff\xf0", 1)
	f.Fuzz(func(t *testing.T, content string, offset int) {
		text := New(content)
		p := text.Position(offset)
		if got := text.Position(text.Offset(p)); got != p {
			t.Errorf("%v becomes %v", p, got)
		}
		if strings.ContainsAny(content, "\r\n") || offset < 0 || offset > len(content) || !utf8.ValidString(content) {
			return
		}
		for offset < len(content) && !utf8.RuneStart(content[offset]) {
			offset-- // to the start of the character
		}
		if want := len(utf16.Encode([]rune(content[:offset]))); p.Character != want {
			t.Errorf("Position(%d) of %q = %v, want %d", offset, content, p, want)
		}
	})
}
