package check

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// A place identifies what several platforms say of one thing.
type place struct {
	file, category, message string
	line, col               int
}

func placeOf(f *finding.Finding) place {
	return place{f.File, f.Category, f.Message, f.Line, f.Col}
}

// merge makes one list of what the platforms found, and of what was found in
// files that none of them builds.
//
// A platform also reads the files that it does not build, without types. What
// it says of those counts only if no platform of this run builds them. An unused
// marker is one that no platform uses. Of packages that say the same of one
// place in a third, it is the first's finding, in whatever order they came.
func (j *judge) merge(excluded []*finding.Finding) []*finding.Finding {
	merged := make(map[place]*finding.Finding)
	reported := make(map[place]map[string]bool)
	for _, v := range j.views {
		for _, f := range v.findings {
			builders := j.builders(f)
			if len(builders) > 0 && !slices.Contains(builders, v.platform.name) {
				continue
			}
			p := placeOf(f)
			if merged[p] == nil {
				merged[p], reported[p] = f, make(map[string]bool)
			}
			if f.Package < merged[p].Package {
				merged[p] = f
			}
			reported[p][v.platform.name] = true
		}
	}
	var all []*finding.Finding
	for p, f := range merged {
		everywhere := j.everywhere(f, reported[p])
		if !everywhere && isUnusedMarker(f) {
			continue
		}
		if !everywhere {
			f.Platforms = sortedKeys(reported[p])
		}
		all = append(all, f)
	}
	for _, f := range excluded {
		if merged[placeOf(f)] == nil {
			all = append(all, f)
		}
	}
	finding.Sort(all)
	return all
}

// isUnusedMarker knows the findings of the markers analyzer that another
// platform can refute.
func isUnusedMarker(f *finding.Finding) bool {
	return f.Category == "marker" && strings.HasPrefix(f.Message, "unused")
}

// everywhere reports whether all platforms that could report a finding do.
func (j *judge) everywhere(f *finding.Finding, reported map[string]bool) bool {
	candidates := j.builders(f)
	if len(candidates) == 0 {
		for _, v := range j.views {
			if v.judged[f.Package] {
				candidates = append(candidates, v.platform.name)
			}
		}
	}
	return !slices.ContainsFunc(candidates, func(name string) bool { return !reported[name] })
}

// builders returns the platforms that judged the finding's package and build its file.
func (j *judge) builders(f *finding.Finding) []string {
	var names []string
	for _, v := range j.views {
		if v.judged[f.Package] && v.platform.buildsFile(filepath.Dir(f.File), filepath.Base(f.File)) {
			names = append(names, v.platform.name)
		}
	}
	return names
}

// builds reports whether the platform builds any file of a folder.
func (j *judge) builds(platform Platform, dir string) bool {
	return slices.ContainsFunc(j.scope.dirs[dir], func(name string) bool { return platform.buildsFile(dir, name) })
}

// buildsFile reports whether the build constraints of a file admit the platform.
func (p Platform) buildsFile(dir, name string) bool {
	ctx := p.context()
	match, err := ctx.MatchFile(dir, name)
	if err != nil {
		return true // unreadable: let the go command say so
	}
	return match && (p.cgo || !importsC(p.replaced.actual(filepath.Join(dir, name))))
}

func importsC(name string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return false
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
