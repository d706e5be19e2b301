package unit

import "testing"

func TestParsePosition(t *testing.T) {
	tests := []struct {
		text      string
		file      string
		line, col int
	}{
		{"/a/b.go:3:7", "/a/b.go", 3, 7},
		{"/a/b.y:100", "/a/b.y", 100, 0},
		{`C:\a\b.go:3:7`, `C:\a\b.go`, 3, 7},
		{`C:\a\b.go`, `C:\a\b.go`, 0, 0},
		{"-", "-", 0, 0},
		{"/a/x:1.go:2:3", "/a/x:1.go", 2, 3},
		{"", "", 0, 0},
		{"/a/b.go:0:0", "/a/b.go:0:0", 0, 0},
	}
	for _, test := range tests {
		file, line, col := ParsePosition(test.text)
		if file != test.file || line != test.line || col != test.col {
			t.Errorf("ParsePosition(%q) = %q, %d, %d", test.text, file, line, col)
		}
	}
}
