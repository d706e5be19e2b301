package marker

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// read parses a source text that may be broken.
func read(t *testing.T, src string) (*token.FileSet, *ast.File, *File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file, Read(fset, file)
}

// covered returns the lines of src on which Find gives a marker, with its reason.
func covered(t *testing.T, src string, rule Rule) map[int]string {
	t.Helper()
	_, file, f := read(t, src)
	tokenFile := f.file
	lines := make(map[int]string)
	for n := 1; n <= tokenFile.LineCount(); n++ {
		if m := f.Find(rule, tokenFile.LineStart(n)); m != nil {
			lines[n] = m.Reason
		}
	}
	_ = file
	return lines
}

func TestFindCoversTheRightLine(t *testing.T) {
	const head = "package p\nfunc f() {\n" // the body starts on line 3
	tests := []struct {
		name string
		body string
		want map[int]string
	}{
		{"trailing", "x() // detached-spawn: ok — one two three\ny()", map[int]string{3: "one two three"}},
		{"alone on the line above", "// detached-spawn: ok — one two three\nx()\ny()", map[int]string{4: "one two three"}},
		{"trailing on the previous statement does not reach the next", "w() // detached-spawn: ok — one two three\nx()", map[int]string{3: "one two three"}},
		{"behind a closing brace is trailing", "if b {\n} // detached-spawn: ok — one two three\nx()", map[int]string{4: "one two three"}},
		{"a blank line breaks it", "// detached-spawn: ok — one two three\n\nx()", map[int]string{4: "one two three"}},
		{"wrapped reason", "// detached-spawn: ok — one two\n// three four\nx()", map[int]string{5: "one two three four"}},
		{"wrapped from nothing", "// detached-spawn: ok —\n// one two three\nx()", map[int]string{5: "one two three"}},
		{"explanation before the marker", "// Start it.\n// detached-spawn: ok — one two three\nx()", map[int]string{5: "one two three"}},
		{"an empty comment line ends the reason", "// detached-spawn: ok — one two three\n//\n// more\nx()", map[int]string{6: "one two three"}},
		{"a directive below is not reason", "// detached-spawn: ok — one two three\n//nolint:gosec\nx()", map[int]string{5: "one two three"}},
		{"block comment above", "/* detached-spawn: ok — one two three */\nx()", map[int]string{4: "one two three"}},
		{"block comment before the code", "/* detached-spawn: ok — one two three */ x()\ny()", map[int]string{3: "one two three"}},
		{"block comment over lines", "/*\n * detached-spawn: ok — one two\n * three\n */\nx()", map[int]string{7: "one two three"}},
		{"block comment that ends before code", "/*\ndetached-spawn: ok — one two three\n*/ x()\ny()", map[int]string{5: "one two three"}},
		{"block comment between statements is the first one's", "x() /* detached-spawn: ok — one two three\n*/; y()", map[int]string{3: "one two three"}},
		{"example that begins with a marker", "//\tdetached-spawn: ok — one two three\ny()", map[int]string{}},
		{"behind another tool's directive", "x() //nolint:gosec // detached-spawn: ok — one two three", map[int]string{3: "one two three"}},
		{"before another comment", "x() // detached-spawn: ok — one two three // want `x`", map[int]string{3: "one two three"}},
		{"of another rule", "x() // loop-block: ok — one two three", map[int]string{}},
		{"in a string", "x(\"// detached-spawn: ok — one two three\")", map[int]string{}},
		{"in a raw string", "x(`\n// detached-spawn: ok — one two three\n`)", map[int]string{}},
		{"commented-out code", "// x() // detached-spawn: ok — one two three\ny()", map[int]string{}},
		{"example in a doc comment", "//\tx() // detached-spawn: ok — one two three\ny()", map[int]string{}},
		{"in the middle of a sentence", "// Say detached-spawn: ok — one two three\ny()", map[int]string{}},
		{"//line does not move it", "//line other.go:100\nw()\n// detached-spawn: ok — one two three\nx()", map[int]string{6: "one two three"}},
		{"CRLF", "// detached-spawn: ok — one two\r\n// three\r\nx()\r\n", map[int]string{5: "one two three"}},
		{"CRLF block", "/*\r\n\tdetached-spawn: ok — one two\r\n\tthree\r\n*/\r\nx()\r\n", map[int]string{7: "one two three"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := covered(t, head+test.body+"\n}\n", DetachedSpawn)
			if len(got) != len(test.want) {
				t.Fatalf("covered %v, want %v", got, test.want)
			}
			for line, reason := range test.want {
				if got[line] != reason {
					t.Errorf("covered %v, want %v", got, test.want)
				}
			}
		})
	}
}
