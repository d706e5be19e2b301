package detachedspawn

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"slices"
	"strings"
)

// A target is a build that a file may be for.
type target struct {
	goos, goarch string
	tags         []string // custom tags that are set
	noCgo        bool
}

// The systems and architectures of Go 1.26 (go tool dist list), those that
// people ship for first: a file is judged once, for the first that takes it.
var (
	systems = []string{"windows", "darwin", "linux", "freebsd", "openbsd", "netbsd", "dragonfly",
		"solaris", "illumos", "aix", "android", "ios", "plan9", "js", "wasip1"}
	architectures = []string{"amd64", "arm64", "386", "arm", "riscv64", "loong64", "ppc64", "ppc64le",
		"s390x", "mips", "mipsle", "mips64", "mips64le", "wasm"}
	unixSystems = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios",
		"linux", "netbsd", "openbsd", "solaris"}
	// implied lists the systems whose tag another system sets too (go help buildconstraint).
	implied = map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}
)

func (t target) has(tag string) bool {
	switch {
	case tag == t.goos, tag == t.goarch, tag == "gc", implied[t.goos] == tag:
		return true
	case tag == "unix":
		return slices.Contains(unixSystems, t.goos)
	case tag == "cgo":
		return !t.noCgo
	case strings.HasPrefix(tag, "go1."):
		return true
	}
	return slices.Contains(t.tags, tag)
}

// A buildFile is a source file with what decides whether a build takes it.
type buildFile struct {
	name       string
	syntax     *ast.File
	constraint constraint.Expr // nil: none
}

func newBuildFile(name string, syntax *ast.File) *buildFile {
	return &buildFile{name, syntax, constraintOf(syntax)}
}

// constraintOf returns the file's //go:build line or, in old files, the
// conjunction of its // +build lines.
func constraintOf(file *ast.File) constraint.Expr {
	var plus constraint.Expr
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, comment := range group.List {
			expr, err := constraint.Parse(comment.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(comment.Text):
				return expr
			case plus == nil:
				plus = expr
			default:
				plus = &constraint.AndExpr{X: plus, Y: expr}
			}
		}
	}
	return plus
}

func (f *buildFile) matches(t target) bool {
	if !matchesName(f.name, t) {
		return false
	}
	return f.constraint == nil || f.constraint.Eval(t.has)
}

// matchesName applies the _GOOS, _GOARCH and _GOOS_GOARCH endings.
func matchesName(path string, t target) bool {
	stem := strings.TrimSuffix(filepath.Base(path), ".go")
	stem = strings.TrimSuffix(stem, "_test")
	parts := strings.Split(stem, "_")
	if len(parts) < 2 {
		return true
	}
	parts = parts[1:]
	last := parts[len(parts)-1]
	if slices.Contains(architectures, last) {
		if last != t.goarch {
			return false
		}
		if len(parts) == 1 {
			return true
		}
		last = parts[len(parts)-2]
	}
	return !slices.Contains(systems, last) || t.has(last)
}

// target finds a build that takes the file, or reports false.
func (f *buildFile) target() (target, bool) {
	for _, tags := range f.tagSets() {
		for _, goos := range systems {
			for _, goarch := range architectures {
				for _, noCgo := range []bool{false, true} {
					t := target{goos, goarch, tags, noCgo}
					if f.matches(t) {
						return t, true
					}
				}
			}
		}
	}
	return target{}, false
}

// tagSets returns the sets of custom tags to try: none, each alone, all.
func (f *buildFile) tagSets() [][]string {
	var custom []string
	if f.constraint != nil {
		collectTags(f.constraint, &custom)
	}
	sets := [][]string{nil}
	for _, tag := range custom {
		sets = append(sets, []string{tag})
	}
	if len(custom) > 1 {
		sets = append(sets, custom)
	}
	return sets
}

func collectTags(expr constraint.Expr, tags *[]string) {
	switch e := expr.(type) {
	case *constraint.AndExpr:
		collectTags(e.X, tags)
		collectTags(e.Y, tags)
	case *constraint.OrExpr:
		collectTags(e.X, tags)
		collectTags(e.Y, tags)
	case *constraint.NotExpr:
		collectTags(e.X, tags)
	case *constraint.TagExpr:
		known := slices.Contains(systems, e.Tag) || slices.Contains(architectures, e.Tag)
		if !known && !slices.Contains(*tags, e.Tag) {
			*tags = append(*tags, e.Tag)
		}
	}
}
