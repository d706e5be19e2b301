package ratchet

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const reason = "the daemon must outlive the client"

// entry returns an entry of the detached-spawn rule, or fails the test.
func entry(t testing.TB, pkg, symbol, expr string, k int) Entry {
	t.Helper()
	e, err := NewEntry(Key{"detached-spawn", pkg, symbol, expr, k}, reason)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEntriesReadBackAsTheyWereWritten(t *testing.T) {
	exprs := map[string]string{
		"plain":            `&syscall.SysProcAttr{Setsid: true}`,
		"quotes":           `exec.Command("sh", "-c", "a & b")`,
		"backquotes":       "exec.Command(`sh`, \"-c\")",
		"line break":       "f(`a\nb`)",
		"hash and dash":    `f("#1 — not the reason")`,
		"not printing":     "f(\"\u202e\")",
		"other scripts":    `f("守护进程", "🚀")`,
		"nothing":          ``,
		"backslash at end": `f\`,
	}
	for name, expr := range exprs {
		t.Run(name, func(t *testing.T) {
			e := entry(t, "example.com/p", "(*T).start", expr, 2)
			line := string(Format([]Entry{e}))
			if !isPrintable(strings.TrimSuffix(line, "\n")) {
				t.Errorf("not one line that shows every character: %q", line)
			}
			got, err := Parse("b", []byte(line))
			if err != nil {
				t.Fatalf("%q does not read back: %v", line, err)
			}
			e.Line = 1
			if len(got) != 1 || got[0] != e {
				t.Errorf("%q reads back as %+v, want %+v", line, got, e)
			}
		})
	}
}

func TestTheLineOfAnEntry(t *testing.T) {
	tests := []struct {
		entry Entry
		want  string
	}{
		{entry(t, "example.com/p", "(*T).start", `&S{A: "x"}`, 1), "detached-spawn example.com/p (*T).start `&S{A: \"x\"}` #1 — " + reason},
		{entry(t, "p", "var a, b", "f(`x`)", 12), "detached-spawn p var a, b \"f(`x`)\" #12 — " + reason},
	}
	for _, test := range tests {
		if got := test.entry.String(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestABaselineIsSortedAndReadsInAnyOrder(t *testing.T) {
	a, b := entry(t, "a", "f", "x", 1), entry(t, "b", "f", "x", 1)
	if got, want := string(Format([]Entry{b, a})), a.String()+"\n"+b.String()+"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got, err := Parse("b", []byte("\ufeff"+b.String()+"\r\n\r\n"+a.String()))
	if err != nil || len(got) != 2 || got[0].Key != b.Key || got[0].Line != 1 || got[1].Line != 3 {
		t.Errorf("unsorted, with a BOM, blank lines and CRLF: %+v, %v", got, err)
	}
}

func TestInvalidBaselinesNameTheLineAndTheFault(t *testing.T) {
	good := entry(t, "p", "f", "x", 1).String()
	tests := []struct{ name, line, want string }{
		{"prose", "# exceptions", "no quoted expression"},
		{"one word", "detached-spawn", "no quoted expression"},
		{"open quote", "detached-spawn p f \"x #1 — " + reason, "quote is not closed"},
		{"bad escape", `detached-spawn p f "\q" #1 — ` + reason, "bad escape"},
		{"no rank", "detached-spawn p f `x` — " + reason, `"" is not a rank`},
		{"rank of no number", "detached-spawn p f `x` #one — " + reason, `"#one" is not a rank`},
		{"rank zero", "detached-spawn p f `x` #0 — " + reason, "#0 is not a rank"},
		{"rank with a zero before", "detached-spawn p f `x` #01 — " + reason, `"#01" is not a rank`},
		{"huge rank", "detached-spawn p f `x` #99999999999999999999 — " + reason, "is not a rank"},
		{"no separator", "detached-spawn p f `x` #1 " + reason, "is not a rank"},
		{"no reason", "detached-spawn p f `x` #1", "no reason behind the rank"},
		{"empty reason", "detached-spawn p f `x` #1 —", "has no reason"},
		{"reason that is none", "detached-spawn p f `x` #1 — todo", "reason"},
		{"no symbol", "detached-spawn p `x` #1 — " + reason, `"" is not the name of a declaration`},
		{"no package", "detached-spawn `x` #1 — " + reason, "no quoted expression"},
		{"not UTF-8", "detached-spawn p f `\xff` #1 — " + reason, "not UTF-8"},
		{"the same again", good, "repeats the entry of line 1"},
		{"the same with another reason", good + " for years", "repeats the entry of line 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			entries, err := Parse("dir/holdfast.baseline", []byte(good+"\n\n"+test.line+"\n"))
			if err == nil {
				t.Fatalf("accepted as %+v", entries)
			}
			if !strings.HasPrefix(err.Error(), "dir/holdfast.baseline:3: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want line 3 and %q", err, test.want)
			}
			if entries != nil {
				t.Errorf("entries %+v come with an error", entries)
			}
		})
	}
}

func TestEveryBadLineIsNamed(t *testing.T) {
	_, err := Parse("b", []byte("one\n"+entry(t, "p", "f", "x", 1).String()+"\ntwo\n"))
	if err == nil || !strings.Contains(err.Error(), "b:1: ") || !strings.Contains(err.Error(), "\nb:3: ") {
		t.Errorf("got %v", err)
	}
}

func TestConflictMarkersAreExplained(t *testing.T) {
	a, b := entry(t, "a", "f", "x", 1).String(), entry(t, "b", "f", "x", 1).String()
	_, err := Parse("b", []byte("<<<<<<< HEAD\n"+a+"\n=======\n"+b+"\n>>>>>>> topic\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "b:1: unresolved merge conflict") || !strings.Contains(err.Error(), "both sides") {
		t.Errorf("got %v", err)
	}
}

func TestAReasonIsOneLineOfWords(t *testing.T) {
	key := Key{"detached-spawn", "p", "f", "x", 1}
	e, err := NewEntry(key, "  the daemon\n\tmust outlive the client ")
	if err != nil || e.Reason != reason {
		t.Errorf("got %q, %v", e.Reason, err)
	}
	for _, bad := range []string{"", "todo", "bell \a in the reason"} {
		if e, err := NewEntry(key, bad); err == nil {
			t.Errorf("reason %q makes the entry %s", bad, e)
		}
	}
}

func TestAnAbsentFileAndAnEmptyOneHaveNoEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holdfast.baseline")
	for _, prepare := range []func(){func() {}, func() { write(t, path, "") }} {
		prepare()
		if entries, err := Load(path); err != nil || len(entries) != 0 {
			t.Errorf("got %+v, %v", entries, err)
		}
	}
}

func TestSaveLeavesOneFileAndKeepsItsMode(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline", "holdfast.baseline")
	a, b := entry(t, "a", "f", "x", 1), entry(t, "b", "f", "x", 1)
	if err := Save(path, []Entry{a}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, []Entry{b, a}); err != nil {
		t.Fatal(err)
	}
	entries, err := Load(path)
	if err != nil || len(entries) != 2 || entries[0].Key != a.Key || entries[1].Key != b.Key {
		t.Errorf("read back %+v, %v", entries, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("beside the baseline: %v, %v", names, err)
	}
}

func TestSaveOfNothingRemovesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holdfast.baseline")
	write(t, path, entry(t, "a", "f", "x", 1).String())
	for range 2 {
		if err := Save(path, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("the file is still there: %v", err)
		}
	}
}

func TestSaveWritesThroughASymbolicLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	write(t, target, "")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := Save(link, []Entry{entry(t, "a", "f", "x", 1)}); err != nil {
		t.Fatal(err)
	}
	if entries, err := Load(target); err != nil || len(entries) != 1 {
		t.Errorf("the link's target has %+v, %v", entries, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
}

func FuzzBaseline(f *testing.F) {
	f.Add(entry(f, "p", "(*T).start", `&S{A: "x"}`, 1).String())
	f.Add(entry(f, "p", "var a, b", "f(`\n`)", 1).String() + "\r\n" + entry(f, "p", "g", "", 3).String())
	f.Add("<<<<<<< HEAD\n")
	f.Add("a b c \"\\xff\" #1 — one two three")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Parse("b", []byte(text))
		if err != nil {
			return
		}
		printed := Format(entries)
		again, err := Parse("b", printed)
		if err != nil {
			t.Fatalf("%q is printed as %q, which does not parse: %v", text, printed, err)
		}
		if string(Format(again)) != string(printed) || len(again) != len(entries) {
			t.Fatalf("%q is printed as %q and then as %q", text, printed, Format(again))
		}
	})
}

func FuzzEntry(f *testing.F) {
	f.Add("detached-spawn", "example.com/p", "(*T).start", `&S{A: "x"}`, 1, reason)
	f.Add("marker", "p", "var a, b", "// x — #1 `y`", 2, "see https://example.com/1")
	f.Fuzz(func(t *testing.T, category, pkg, symbol, expr string, k int, reason string) {
		e, err := NewEntry(Key{category, pkg, symbol, expr, k}, reason)
		if err != nil {
			return
		}
		line := e.String()
		got, err := Parse("b", []byte(line))
		e.Line = 1
		if err != nil || len(got) != 1 || got[0] != e {
			t.Fatalf("%q reads back as %+v, %v; want %+v", line, got, err, e)
		}
	})
}
