package report

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUTF16Columns(t *testing.T) {
	line := []byte("\ta守🚀b\xff!")
	for _, test := range []struct{ bytes, units int }{{1, 1}, {2, 2}, {3, 3}, {6, 4}, {10, 6}, {11, 7}, {12, 8}, {13, 9}, {99, 9}} {
		if got := utf16Column(line, test.bytes); got != test.units {
			t.Errorf("byte column %d is %d, want %d", test.bytes, got, test.units)
		}
	}
}

func TestARegionEndsOnItsFirstLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(path, []byte("x := f(\r\n\t守)\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name                       string
		line, col, endLine, endCol int
		want                       span
	}{
		{"one line", 1, 1, 1, 5, span{1, 1, 5}},
		{"several lines", 1, 6, 2, 6, span{1, 6, 8}},
		{"no end", 2, 2, 0, 0, span{2, 2, 4}},
		{"no column", 2, 0, 0, 0, span{line: 2}},
		{"beyond the file", 9, 3, 9, 4, span{line: 9}},
	}
	for _, test := range tests {
		if got := make(sources).span(path, test.line, test.col, test.endLine, test.endCol); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
