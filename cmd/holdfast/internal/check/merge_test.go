package check

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

func TestMergeOfPlatforms(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.go":         "package p\n",
		"p_windows.go": "package p\n",
		"p_aix.go":     "package p\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const spawn, marker = "detached-spawn", "marker"
	type report struct{ platform, file, category, message string }
	tests := []struct {
		name    string
		reports []report
		want    []string // file: message [platforms]
	}{
		{"all agree", []report{{"linux", "p.go", spawn, "x"}, {"windows", "p.go", spawn, "x"}}, []string{"p.go: x []"}},
		{"twice on one", []report{{"linux", "p.go", spawn, "x"}, {"linux", "p.go", spawn, "x"}}, []string{"p.go: x [linux]"}},
		{"one of two", []report{{"windows", "p.go", spawn, "x"}}, []string{"p.go: x [windows]"}},
		{"a file of one platform, which needs no saying", []report{{"windows", "p_windows.go", spawn, "x"}}, []string{"p_windows.go: x []"}},
		{"what is read without types yields to what is built", []report{
			{"linux", "p_windows.go", spawn, "guess"}, {"windows", "p_windows.go", spawn, "x"},
		}, []string{"p_windows.go: x []"}},
		{"also where the build finds nothing", []report{{"linux", "p_windows.go", spawn, "guess"}}, nil},
		{"a file that nobody builds", []report{{"linux", "p_aix.go", spawn, "x"}, {"windows", "p_aix.go", spawn, "x"}}, []string{"p_aix.go: x []"}},
		{"a marker unused on all", []report{{"linux", "p.go", marker, "unused marker"}, {"windows", "p.go", marker, "unused marker"}}, []string{"p.go: unused marker []"}},
		{"a marker used on one", []report{{"linux", "p.go", marker, "unused marker"}}, nil},
		{"a bad marker", []report{{"linux", "p.go", marker, "marker without reason"}}, []string{"p.go: marker without reason [linux]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := &judge{}
			for _, name := range []string{"linux", "windows"} {
				v := &view{platform: Platform{GOOS: name, GOARCH: "amd64", name: name}, judged: map[string]bool{"m": true}}
				for _, r := range test.reports {
					if r.platform == name {
						v.findings = append(v.findings, &finding.Finding{
							Package: "m", File: filepath.Join(dir, r.file), Line: 1, Col: 1, Category: r.category, Message: r.message,
						})
					}
				}
				j.views = append(j.views, v)
			}
			var got []string
			for _, f := range j.merge(nil) {
				text := filepath.Base(f.File) + ": " + f.Message + " ["
				for i, p := range f.Platforms {
					if i > 0 {
						text += " "
					}
					text += p
				}
				got = append(got, text+"]")
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Two commands that join a loop with the same store each tell of it.
func TestOneFindingOfSeveralPackages(t *testing.T) {
	report := func(path string) *finding.Finding {
		return &finding.Finding{Package: path, File: "/m/ui/ui.go", Line: 1, Col: 1, Category: "loop-block", Message: "x"}
	}
	for _, order := range [][]string{{"m/cmd/a", "m/cmd/b"}, {"m/cmd/b", "m/cmd/a"}} {
		v := &view{platform: Platform{name: "linux"}, judged: map[string]bool{"m/cmd/a": true, "m/cmd/b": true}}
		for _, path := range order {
			v.findings = append(v.findings, report(path))
		}
		got := (&judge{views: []*view{v}}).merge(nil)
		if len(got) != 1 || got[0].Package != "m/cmd/a" {
			t.Errorf("in the order %v: got %v, want one finding of m/cmd/a", order, got)
		}
	}
}
