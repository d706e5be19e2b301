package marker

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// owners lists the declarations that have a directive, by kind and line.
func owners(t *testing.T, src string) ([]string, *File) {
	t.Helper()
	_, file, f := read(t, src)
	var all []string
	ast.Inspect(file, func(node ast.Node) bool {
		for _, verb := range verbs() {
			for range f.On(node, Verb(verb)) {
				kind := strings.TrimPrefix(fmt.Sprintf("%T", node), "*ast.")
				all = append(all, fmt.Sprintf("%d %s %s", physicalLine(f.file, node.Pos()), kind, verb))
			}
		}
		return true
	})
	return all, f
}

func TestDirectivesBelongToTheirDeclaration(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"doc comment of a function", "// F runs.\n//\n//holdfast:loop\nfunc F() {}", []string{"6 FuncDecl loop"}},
		{"same line", "func F() { //holdfast:loop\n}", []string{"3 FuncDecl loop"}},
		{"several on one", "//holdfast:owns kills the whole group\n//holdfast:loop\nfunc F() {}", []string{"5 FuncDecl loop", "5 FuncDecl owns"}},
		{"not the closure and parameters on its line", "//holdfast:loop\nfunc F(f func()) func() { return func() {} }", []string{"4 FuncDecl loop"}},
		{"closure, line above", "func F() {\n\t//holdfast:worker\n\tgo func() {}()\n}", []string{"5 FuncLit worker"}},
		{"closure, same line", "func F() {\n\tgo func() { //holdfast:worker\n\t}()\n}", []string{"4 FuncLit worker"}},
		{"closure in a variable", "//holdfast:loop\nvar f = func() {}", []string{"4 GenDecl loop", "4 ValueSpec loop", "4 FuncLit loop"}},
		{"interface method", "type I interface {\n\t//holdfast:blocking\n\tF()\n\tG() //holdfast:nonblocking\n}", []string{"5 Field blocking", "6 Field nonblocking"}},
		{"struct field", "type S struct {\n\tF func() //holdfast:loop\n\tG func()\n}", []string{"4 Field loop"}},
		{"parameter on its line", "func F(\n\tf func(), //holdfast:loop\n) {\n}", []string{"4 Field loop"}},
		{"named type", "//holdfast:loop\ntype H func(int)", []string{"4 GenDecl loop", "4 TypeSpec loop"}},
		{"type in a group", "type (\n\t//holdfast:loop\n\tH func()\n\tG func()\n)", []string{"5 TypeSpec loop"}},
		{"under //line", "//line other.go:90\n\n//holdfast:loop\nfunc F() {}", []string{"6 FuncDecl loop"}},
		{"CRLF", "//holdfast:loop\r\nfunc F() {}\r\n", []string{"4 FuncDecl loop"}},
		{"behind a spaced comment", "func F() {} // nolint //holdfast:loop", []string{"3 FuncDecl loop"}},
		{"behind another comment sign", "func F() {} //nolint //holdfast:loop", []string{"3 FuncDecl loop"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, f := owners(t, "package p\n\n"+test.src+"\n")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if len(f.Problems) > 0 {
				t.Errorf("problems %q", messages(f))
			}
		})
	}
}

func TestDirectivesThatDoNotFit(t *testing.T) {
	const loose, conflict, twice = "is attached to nothing", "contradicts //holdfast:", "is a duplicate"
	tests := []struct{ name, src, message string }{
		{"above the package clause", "//holdfast:loop\npackage p\n", loose},
		{"a blank line apart", "package p\n\n//holdfast:loop\n\nfunc F() {}\n", loose},
		{"on a statement", "package p\n\nfunc F() {\n\tF() //holdfast:loop\n}\n", loose},
		{"at the end of the file", "package p\n\nfunc F() {}\n\n//holdfast:loop\n", loose},
		{"loop and nonblocking", "package p\n\n//holdfast:loop\n//holdfast:nonblocking\nfunc F() {}\n", conflict},
		{"blocking and nonblocking", "package p\n\n//holdfast:blocking\nfunc F() {} //holdfast:nonblocking\n", conflict},
		{"loop and worker", "package p\n\n//holdfast:loop\n//holdfast:worker\nfunc F() {}\n", conflict},
		{"worker and blocking", "package p\n\n//holdfast:worker\n//holdfast:blocking\nfunc F() {}\n", ""},
		{"loop of a parameter and nonblocking", "package p\n\n//holdfast:loop f\n//holdfast:nonblocking\nfunc F(f func()) {}\n", ""},
		{"owns and loop", "package p\n\n//holdfast:loop\n//holdfast:owns kills the whole group\nfunc F() {}\n", ""},
		{"twice", "package p\n\n//holdfast:loop\n//holdfast:loop\nfunc F() {}\n", twice},
		{"two parameters", "package p\n\n//holdfast:loop a\n//holdfast:loop b\nfunc F(a, b func()) {}\n", ""},
		{"no such parameter", "package p\n\n//holdfast:offloop c\nfunc F(a, b func()) {}\n", `no parameter "c"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, f := read(t, test.src)
			if got := messages(f); !strings.Contains(got, test.message) || (got == "") != (test.message == "") {
				t.Errorf("problems %q, want %q", got, test.message)
			}
		})
	}
}

func TestDirectiveWords(t *testing.T) {
	tests := []struct {
		comment string
		want    Directive
		list    []string
	}{
		{"//holdfast:loop allow=disk,fsync cb — runs the callbacks", Directive{Verb: Loop, Args: []string{"cb"}, Reason: "runs the callbacks"}, []string{"disk", "fsync"}},
		{"//holdfast:worker -- reads stdin", Directive{Verb: Worker, Reason: "reads stdin"}, nil},
		{"//holdfast:blocking kinds=net", Directive{Verb: Blocking}, []string{"net"}},
		{"//holdfast:nonblocking trust", Directive{Verb: Nonblocking, Args: []string{"trust"}}, nil},
		{"//holdfast:owns kills the group in Close", Directive{Verb: Owns, Reason: "kills the group in Close"}, nil},
		{"//holdfast:owns — kills the group in Close", Directive{Verb: Owns, Reason: "kills the group in Close"}, nil},
		{"//holdfast:loop // not part of it", Directive{Verb: Loop}, nil},
	}
	for _, test := range tests {
		t.Run(test.comment, func(t *testing.T) {
			_, _, f := read(t, "package p\n\n"+test.comment+"\nfunc F(cb func()) {}\n")
			if len(f.Directives) != 1 || len(f.Problems) > 0 {
				t.Fatalf("directives %v, problems %q", f.Directives, messages(f))
			}
			d := f.Directives[0]
			got := Directive{Verb: d.Verb, Args: d.Args, Reason: d.Reason}
			if diff := cmp.Diff(fmt.Sprintf("%+v", test.want), fmt.Sprintf("%+v", got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.list, append(d.List("allow"), d.List("kinds")...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
