package configfile

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func sections() Sections {
	loops := flag.NewFlagSet("loopblock", flag.ContinueOnError)
	loops.String("kinds", "", "")
	loops.Int("depth", 8, "")
	loops.Bool("auto", false, "")
	loops.String("declare", "", "")
	spawns := flag.NewFlagSet("detachedspawn", flag.ContinueOnError)
	spawns.Bool("tests", false, "")
	return Sections{"loopblock": loops, "detachedspawn": spawns, "toy": flag.NewFlagSet("toy", flag.ContinueOnError)}
}

func read(t *testing.T, text string) ([]Setting, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path, sections())
}

func TestSettingsAreFlagsInTheirOrder(t *testing.T) {
	got, err := read(t, `# a comment
[loopblock]
kinds = ["+stat", "-db"]
depth = 6
auto = true
declare = [
	"(*example.com/db.Client).Do blocking kinds=net,db", # with commas
	"example.com/db.Now nonblocking",
]

[detachedspawn]
tests = false
`)
	want := []Setting{
		{"loopblock.kinds", "+stat,-db", 3},
		{"loopblock.depth", "6", 4},
		{"loopblock.auto", "true", 5},
		{"loopblock.declare", "(*example.com/db.Client).Do blocking kinds=net,db;example.com/db.Now nonblocking", 6},
		{"detachedspawn.tests", "false", 12},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got  %v, %v\nwant %v", got, err, want)
	}
	if got, err := read(t, "loopblock.kinds = 'net'\n"); err != nil || !slices.Equal(got, []Setting{{"loopblock.kinds", "net", 1}}) {
		t.Errorf("a dotted key: %v, %v", got, err)
	}
	if got, err := read(t, ""); err != nil || len(got) != 0 {
		t.Errorf("an empty file: %v, %v", got, err)
	}
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"section", "\n[loopblok]\ndepth = 1\n", ":2: there is no section [loopblok]: did you mean [loopblock]?"},
		{"section by a dotted key", "spawns.tests = true\n", "there is no section [spawns]: did you mean"},
		{"key", "[loopblock]\n\nkind = 'net'\n", ":3: section [loopblock] has no key kind: did you mean kinds?"},
		{"key of another section", "[detachedspawn]\nauto = true\n", ":2: section [detachedspawn] has no key auto: did you mean tests?"},
		{"section without keys", "[toy]\nx = 1\n", ":2: section [toy] has no keys"},
		{"no section", "depth = 3\n", ":1: depth stands in no section: the sections are [detachedspawn], [loopblock], [toy]"},
		{"list of sections", "[[loopblock]]\ndepth = 3\n", ":1: loopblock stands in no section"},
		{"float", "[loopblock]\ndepth = 3.5\n", ":2: depth must be"},
		{"numbers in a list", "[loopblock]\nkinds = ['net',\n 3]\n", ":2: kinds must be"},
		{"table", "[loopblock]\n[loopblock.kinds]\nnet = true\n", ":2: kinds must be"},
		{"date", "[loopblock]\nkinds = 2020-01-01\n", ":2: kinds must be"},
		{"syntax", "[loopblock]\ndepth 3\n", ":2: "},
		{"twice", "[loopblock]\ndepth = 3\ndepth = 4\n", ":3: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := read(t, test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v\nwant %s", got, err, test.want)
			}
		})
	}
	if _, err := Read(filepath.Join(t.TempDir(), Name), sections()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kind", "kinds", 1}, {"dpeth", "depth", 2}, {"kitten", "sitting", 3}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("from %q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("[loopblock]\nkinds = ['a', 'b']\n")
	f.Add("[[loopblock]]\n'' = {x = 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parse(Name, text, sections())
		if err != nil && !strings.HasPrefix(err.Error(), Name) {
			t.Errorf("an error without the file: %v", err)
		}
		for _, s := range settings {
			if section, key, _ := strings.Cut(s.Flag, "."); sections()[section].Lookup(key) == nil {
				t.Errorf("%q sets %s", text, s.Flag)
			}
		}
	})
}
