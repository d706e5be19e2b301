package ratchet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// at returns a finding for the text between «» on the only line that has them,
// or across lines, and the source without them.
func at(t *testing.T, file, marked string) (*finding.Finding, string) {
	t.Helper()
	before, rest, found := strings.Cut(marked, "«")
	inner, after, closed := strings.Cut(rest, "»")
	if !found || !closed {
		t.Fatalf("no «» in %q", marked)
	}
	f := &finding.Finding{Category: "detached-spawn", Package: "example.com/p", File: file}
	f.Line, f.Col = lineCol(before)
	f.EndLine, f.EndCol = lineCol(before + inner)
	return f, before + inner + after
}

func lineCol(text string) (line, col int) {
	return strings.Count(text, "\n") + 1, len(text) - strings.LastIndex(text, "\n")
}

func identifyOne(t *testing.T, marked string) *finding.Finding {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.go")
	f, text := at(t, path, marked)
	write(t, path, text)
	Identify([]*finding.Finding{f})
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestSymbolNamesTheEnclosingDeclaration(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"function", "package p\nfunc start() { «f()» }", "start"},
		{"value receiver", "package p\nfunc (r Runner) start() { «f()» }", "Runner.start"},
		{"pointer receiver", "package p\nfunc (r *Runner) start() { «f()» }", "(*Runner).start"},
		{"generic receiver", "package p\nfunc (r *Pool[K, V]) start() { «f()» }", "(*Pool).start"},
		{"generic receiver with one parameter", "package p\nfunc (Pool[K]) start() { «f()» }", "Pool.start"},
		{"receiver in parentheses", "package p\nfunc (r *(Runner)) start() { «f()» }", "(*Runner).start"},
		{"closure in a function", "package p\nfunc start() { go func() { «f()» }() }", "start"},
		{"variable", "package p\nvar attrs = «f()»", "var attrs"},
		{"closure in a variable", "package p\nvar hook = func() { «f()» }", "var hook"},
		{"several names", "package p\nvar a, b = «f()», 1", "var a, b"},
		{"one of a group", "package p\nvar (\n\ta = 1\n\tb = «f()»\n)", "var b"},
		{"constant", "package p\nconst c = «1»", "const c"},
		{"type", "package p\ntype T struct {\n\tf int «`x`»\n}", "type T"},
		{"type of a group", "package p\ntype (\n\tA int\n\tT struct {\n\tf int «`x`»\n}\n)", "type T"},
		{"import", "package p\nimport «\"C\"»", "import"},
		{"doc comment", "package p\n//«x»\nfunc start() {}", "start"},
		{"trailing comment of a variable", "package p\nvar a = 1 «// x»\nvar b = 2", "var a"},
		{"trailing comment of a function", "package p\nfunc start() {\n} «// x»\n\nvar b = 2", "start"},
		{"second declaration of a line", "package p\nvar a = 1; var b = «f()»", "var b"},
		{"comment between declarations", "package p\n\n«// x»\n\nvar b = 2", "package"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := identifyOne(t, test.source).Symbol; got != test.want {
				t.Errorf("symbol %q, want %q", got, test.want)
			}
		})
	}
}

func TestExpressionsIgnoreFormatting(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"as gofmt writes it", `package p; var x = «&syscall.SysProcAttr{Setsid: true}»`, `&syscall.SysProcAttr{Setsid: true}`},
		{"over several lines", "package p\nvar x = «&syscall.SysProcAttr{\n\tSetsid:  true,\n\tSetpgid: true, // twice\n}»", `&syscall.SysProcAttr{Setsid: true, Setpgid: true}`},
		{"with CRLF line ends", "package p\r\nvar x = «&T{\r\n\tA: 1,\r\n}»", `&T{A: 1}`},
		{"a call over lines", "package p\nvar x = «exec.Command(\n\t\"setsid\",\n\targs...,\n)»", `exec.Command("setsid", args...)`},
		{"binary operators", "package p\nvar x = «a|b  |c»", `a | b | c`},
		{"unary operators", "package p\nvar x = «f(-1, ^a, !b, <-c, *d)»", `f(-1, ^a, !b, <-c, *d)`},
		{"types", "package p\nvar x = «[]*exec.Cmd{}»", `[]*exec.Cmd{}`},
		{"slices", "package p\nvar x = «args[1:]»", `args[1:]`},
		{"assertions", "package p\nvar x = «y.(*T)»", `y.(*T)`},
		{"statements", "package p\nfunc f() {\n\t«cmd := g()\n\tcmd.Start()»\n}", `cmd := g(), cmd.Start()`},
		{"an assignment", "package p\nfunc f() {\n\t«cmd.SysProcAttr.Setsid=true»\n}", `cmd.SysProcAttr.Setsid = true`},
		{"a comment", "package p\n«//   detached-spawn:  ok»\n", `// detached-spawn: ok`},
		{"text that is no expression", "package p\nvar x = «f(a»)", `f(a`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := identifyOne(t, test.source).Expr; strings.ReplaceAll(got, ";", ",") != test.want {
				t.Errorf("expression %q, want %q", got, test.want)
			}
		})
	}
}

func TestFunctionLiteralsBecomeAHashOfTheirTokens(t *testing.T) {
	short := identifyOne(t, "package p\nvar x = «run(func() { f(1) }, 2)»").Expr
	long := identifyOne(t, "package p\nvar x = «run(func() {\n\t// says why\n\tf(1)\n}, 2)»").Expr
	other := identifyOne(t, "package p\nvar x = «run(func() { f(2) }, 2)»").Expr
	if !strings.HasPrefix(short, "run(func{") || !strings.HasSuffix(short, "}, 2)") || len(short) != len("run(func{12345678}, 2)") {
		t.Errorf("the literal is not eight digits in its place: %q", short)
	}
	if short != long {
		t.Errorf("layout and comments change the literal: %q and %q", short, long)
	}
	if short == other {
		t.Errorf("another body has the same expression: %q", other)
	}
}

func TestLongExpressionsAreCutAndStayDistinct(t *testing.T) {
	list := strings.Repeat(`"ä", `, 100)
	for _, name := range []string{"f", "ff", "fff", "ffff", "fffff"} { // so that some cut falls inside of an "ä"
		one := identifyOne(t, "package p\nvar x = «"+name+"("+list+"1)»").Expr
		two := identifyOne(t, "package p\nvar x = «"+name+"("+list+"2)»").Expr
		if len(one) > exprLimit || !strings.Contains(one, "…") || !utf8.ValidString(one) {
			t.Errorf("not cut to %d bytes at a rune: %d bytes %q", exprLimit, len(one), one)
		}
		if one == two {
			t.Errorf("two long expressions are one: %q", one)
		}
	}
}

func TestARangeWithoutEndIsTheExpressionAtItsStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	write(t, path, "package p\n\nfunc start() {\n\tcmd.Process.Release() // x\n}\n")
	f := &finding.Finding{File: path, Line: 4, Col: 2}
	wholeLine := &finding.Finding{File: path, Line: 4}
	Identify([]*finding.Finding{f, wholeLine})
	if f.Symbol != "start" || f.Expr != "cmd.Process.Release()" {
		t.Errorf("without an end: %s %q", f.Symbol, f.Expr)
	}
	if wholeLine.Symbol != "start" || wholeLine.Expr != "cmd.Process.Release()" {
		t.Errorf("without a column: %s %q", wholeLine.Symbol, wholeLine.Expr)
	}
}

func TestDoubtfulSourcesFallBackToTheMessage(t *testing.T) {
	tests := []struct {
		name, file, source string
		line, col          int
	}{
		{"does not parse", "p.go", "package p\nfunc {", 2, 1},
		{"is no Go file", "p.y", "%%\n", 1, 1},
		{"is missing", "missing.go", "", 1, 1},
		{"moves its lines", "p.go", "package p\n//line p.y:100\nvar x = 1\n", 3, 1},
		{"ends before the line", "p.go", "package p\n", 30, 1},
		{"ends before the column", "p.go", "package p\n", 1, 99},
		{"has no such line", "p.go", "package p\n", 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), test.file)
			if test.source != "" {
				write(t, path, test.source)
			}
			f := &finding.Finding{File: path, Line: test.line, Col: test.col,
				Message: "setAttrs detaches:\tsetAttrs (proc.go:12) → Setsid: true (unix/proc.go:4:9)"}
			Identify([]*finding.Finding{f})
			if want := "setAttrs detaches: setAttrs (proc.go) → Setsid: true (unix/proc.go)"; f.Symbol != "?" || f.Expr != want || f.K != 1 {
				t.Errorf("identity %q %q #%d, want %q %q #1", f.Symbol, f.Expr, f.K, "?", want)
			}
		})
	}
}

func TestEqualFindingsAreRankedByPosition(t *testing.T) {
	dir := t.TempDir()
	source := "package p\n\nfunc start() {\n\tcmd.Process.Release()\n\tcmd.Process.Release()\n}\n\nfunc other() {\n\tcmd.Process.Release()\n}\n"
	write(t, filepath.Join(dir, "a.go"), source)
	write(t, filepath.Join(dir, "b.go"), strings.ReplaceAll(source, "other", "third"))
	place := func(file string, line int) *finding.Finding {
		return &finding.Finding{Category: "c", Package: "p", File: filepath.Join(dir, file), Line: line, Col: 2}
	}
	findings := []*finding.Finding{place("b.go", 4), place("a.go", 9), place("a.go", 5), place("a.go", 4)}
	Identify(findings)
	for i, want := range []string{"start 3", "other 1", "start 2", "start 1"} {
		f := findings[i]
		if got := f.Symbol + " " + string(rune('0'+f.K)); got != want {
			t.Errorf("finding %d is %q, want %q", i, got, want)
		}
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add("package p\nvar x = run(func() { f(1) }, 2)\n", 2, 9, 2, 30)
	f.Add("package p\r\nfunc (T[K]) f() { /* x */ }", 2, 20, 0, 0)
	f.Fuzz(func(t *testing.T, text string, line, col, endLine, endCol int) {
		s := parseSource("p.go", []byte(text))
		_, expr := s.identify(&finding.Finding{Line: line, Col: col, EndLine: endLine, EndCol: endCol, Message: "m"})
		if len(expr) > exprLimit {
			t.Errorf("expression of %d bytes: %q", len(expr), expr)
		}
	})
}
