package cases

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
)

// An edit replaces bytes of a file.
type edit struct {
	start, end int
	text       string
}

// fixes collects the first fix of every diagnostic by file.
func fixes(graph *checker.Graph) map[string][]edit {
	edits := make(map[string][]edit)
	for _, action := range graph.Roots {
		for _, d := range action.Diagnostics {
			if len(d.SuggestedFixes) == 0 {
				continue
			}
			for _, e := range d.SuggestedFixes[0].TextEdits {
				file := action.Package.Fset.File(e.Pos)
				edit := edit{file.Offset(e.Pos), file.Offset(e.End), string(e.NewText)}
				if !slices.Contains(edits[file.Name()], edit) { // test variants see a file twice
					edits[file.Name()] = append(edits[file.Name()], edit)
				}
			}
		}
	}
	return edits
}

// compareFixes applies the edits to every file that has a golden twin. A file
// without one must have no fix.
func compareFixes(t *testing.T, dir string, edits map[string][]edit) {
	t.Helper()
	for file, list := range edits {
		if strings.HasPrefix(file, dir+string(filepath.Separator)) {
			compareFile(t, file, list)
		}
	}
	goldens, _ := filepath.Glob(filepath.Join(dir, "*.golden"))
	for _, golden := range goldens {
		if file := strings.TrimSuffix(golden, ".golden"); edits[file] == nil {
			t.Errorf("%s: no fix was offered", filepath.Base(file))
		}
	}
}

func compareFile(t *testing.T, file string, edits []edit) {
	t.Helper()
	want, err := os.ReadFile(file + ".golden")
	if err != nil {
		t.Errorf("%s: a fix was offered and there is no golden file", filepath.Base(file))
		return
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := format.Source(apply(source, edits))
	if err != nil {
		t.Fatalf("%s: the fix breaks the file: %v", filepath.Base(file), err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: after the fix:\n%s\nwant:\n%s", filepath.Base(file), got, want)
	}
}

func apply(source []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, source[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, source[at:]...)
}
