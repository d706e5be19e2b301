package unit

import (
	"maps"
	"slices"
	"testing"
)

func TestMergeTakesAFixWholeOrNotAtAll(t *testing.T) {
	edits := make(map[string][]Edit)
	addImport := Edit{"a.go", 10, 10, "import \"x\"\n"}
	steps := []struct {
		name string
		fix  []Edit
		want bool
	}{
		{"first", []Edit{addImport, {"a.go", 20, 25, "one"}}, true},
		{"same import, other place", []Edit{addImport, {"a.go", 30, 35, "two"}}, true},
		{"collides in its second edit", []Edit{{"a.go", 50, 51, "three"}, {"a.go", 34, 36, "three"}}, false},
		{"collides in one file of two", []Edit{{"b.go", 1, 2, "four"}, {"a.go", 22, 23, "four"}}, false},
		{"ends where another starts", []Edit{{"a.go", 25, 30, "five"}}, true},
	}
	for _, step := range steps {
		if got := merge(edits, step.fix); got != step.want {
			t.Errorf("%s: merged = %t, want %t", step.name, got, step.want)
		}
	}
	want := map[string][]Edit{"a.go": {addImport, {"a.go", 20, 25, "one"}, {"a.go", 25, 30, "five"}, {"a.go", 30, 35, "two"}}}
	if !maps.EqualFunc(edits, want, slices.Equal) {
		t.Errorf("merged to %v, want %v", edits, want)
	}
}

func TestApplyEditsRefusesAFileThatHasChanged(t *testing.T) {
	got, err := applyEdits([]byte("hello world"), []Edit{{"", 0, 5, "bye"}, {"", 11, 11, "!"}})
	if err != nil || string(got) != "bye world!" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := applyEdits([]byte("short"), []Edit{{"", 0, 6, "x"}}); err == nil {
		t.Error("an edit beyond the end was applied")
	}
}

func TestTidyDropsOnlyImportsThatTheFixLeftUnused(t *testing.T) {
	const original = "package p\n\nimport (\n\t\"fmt\"\n\t_ \"embed\"\n\tsys \"syscall\"\n\t\"unused\"\n)\n\nvar a = sys.Getpid()\nvar b = fmt.Sprint()\n"
	const fixed = "package p\n\nimport (\n\t\"fmt\"\n\t_ \"embed\"\n\tsys \"syscall\"\n\t\"unused\"\n)\n\nvar a   = 1\nvar b = fmt.Sprint()\n"
	const want = "package p\n\nimport (\n\t_ \"embed\"\n\t\"fmt\"\n\t\"unused\"\n)\n\nvar a = 1\nvar b = fmt.Sprint()\n"
	got := string(tidy([]byte(original), []byte(fixed)))
	if got != want && got != "package p\n\nimport (\n\t\"fmt\"\n\t_ \"embed\"\n\t\"unused\"\n)\n\nvar a = 1\nvar b = fmt.Sprint()\n" {
		t.Errorf("tidy made\n%s", got)
	}
	if got := tidy([]byte(original), []byte("package p\nfunc {")); string(got) != "package p\nfunc {" {
		t.Errorf("a result that does not parse became %q", got)
	}
}
