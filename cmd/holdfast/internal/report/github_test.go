package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// manyFindings returns n findings, one a file.
func manyFindings(n int) []*finding.Finding {
	var all []*finding.Finding
	for i := range n {
		all = append(all, &finding.Finding{Category: "marker", Message: "m", File: fmt.Sprintf("/m/a%06d.go", i), Line: 1, Col: 1})
	}
	return all
}

func TestAnnotationsStandOnChangedLinesFirst(t *testing.T) {
	o := Options{Dir: "/m", Root: "/m", Changed: Changes{"/m/a000011.go": {{1, 1}}, "/m/a000005.go": {{2, 9}}}}
	lines := strings.Split(written(t, GitHub, &Report{New: manyFindings(12)}, o), "\n")
	var annotated []string
	for _, line := range lines {
		if strings.HasPrefix(line, "::error ") {
			annotated = append(annotated, line)
		}
	}
	if len(annotated) != 10 || !strings.Contains(annotated[0], "file=a000011.go,") || !strings.Contains(annotated[1], "file=a000000.go,") {
		t.Errorf("annotations:\n%s", strings.Join(annotated, "\n"))
	}
	if want := "::notice title=holdfast::holdfast: 12 findings: "; !strings.HasPrefix(lines[10], want) || !strings.Contains(lines[10], "2 more problems") {
		t.Errorf("line 11 is %q, want the total", lines[10])
	}
}

func TestACleanRunAnnotatesNothing(t *testing.T) {
	text := written(t, GitHub, &Report{Packages: 3, Platforms: []string{"linux"}}, Options{Dir: "/m", Root: "/m"})
	if text != "holdfast: clean: 3 packages on linux; ratchet: no exceptions\n" {
		t.Errorf("got %q", text)
	}
}

func TestAnnotationsEscapeWhatEndsAField(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name of a file has a colon here")
	}
	f := &finding.Finding{Category: "marker", Message: "100%\r\n::error::x", File: "/m/a,b:c%.go", Line: 3}
	got := newDocument(&Report{}, Options{Dir: "/m", Root: "/m"}).annotation("error", f)
	if want := "::error file=a%2Cb%3Ac%25.go,line=3,endLine=3,title=marker::100%25 ::error::x"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := escapeData("a\r\nb%0A"), "a%0D%0Ab%250A"; got != want {
		t.Errorf("escaped %q, want %q", got, want)
	}
}

func TestTheStepSummaryIsAppendedAndStaysBelowTheLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.md")
	if err := os.WriteFile(path, []byte("# of an earlier tool\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: "/m", Root: "/m", StepSummary: path}
	const n = 1_500
	findings := manyFindings(n)
	for _, f := range findings {
		f.Message = strings.Repeat("字", 300)
	}
	var b bytes.Buffer
	if err := Write(&b, GitHub, &Report{New: findings}, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > summaryLimit || len(text) < summaryLimit*9/10 || !utf8.Valid(text) {
		t.Errorf("%d bytes, want up to %d", len(text), summaryLimit)
	}
	if !strings.HasPrefix(string(text), "# of an earlier tool\n### holdfast: 1500 findings") {
		t.Errorf("it starts with %.80q", text)
	}
	rows := strings.Count(string(text), "\n| a")
	if want := fmt.Sprintf("… and %d more rows", n-rows); !strings.Contains(string(text), want) {
		t.Errorf("%d rows and no %q", rows, want)
	}

	// A summary that is full already takes nothing more.
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), summaryLimit-10), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(&b, GitHub, &Report{New: manyFindings(1)}, o); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != summaryLimit-10 {
		t.Errorf("the full summary grew: %v, %v", info.Size(), err)
	}
}

func TestAnUnwritableStepSummaryIsAnError(t *testing.T) {
	o := Options{Dir: "/m", Root: "/m", StepSummary: filepath.Join(t.TempDir(), "no", "such", "dir")}
	if err := Write(&bytes.Buffer{}, GitHub, &Report{}, o); err == nil || !strings.Contains(err.Error(), "step's summary") {
		t.Errorf("got %v", err)
	}
}
