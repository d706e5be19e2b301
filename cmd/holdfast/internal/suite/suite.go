// Package suite says which analyzers holdfast runs and what the unit checker
// may know about each of them beforehand.
package suite

import (
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers"
	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
	"github.com/holdfast-go/holdfast/analyzers/markers"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

// Rules returns holdfast's own analyzers.
func Rules() []unit.Rule {
	list := analyzers.New()
	spawns, loops, marks := list.DetachedSpawn, list.LoopBlock, list.Markers
	return []unit.Rule{
		{
			Analyzer: spawns,
			Category: detachedspawn.Category,
			Relevant: mentionsSpawns,
			Tests:    testsFlag(spawns),
		},
		{
			Analyzer: loops,
			Category: loopblock.Category,
			Advice:   []string{loopblock.Advice, loopblock.Entry},
			Relevant: func(source *unit.Source) bool { return declares(loops) || mentionsLoops(source) },
			Tests:    testsFlag(loops),
		},
		{
			Analyzer: marks,
			Category: markers.Category,
			Relevant: mentionsMarkers,
			Tests:    testsFlag(marks),
		},
	}
}

// testsFlag reads the analyzer's own flag "tests".
func testsFlag(a *analysis.Analyzer) func() bool {
	return func() bool {
		f := a.Flags.Lookup("tests")
		if f == nil {
			return false
		}
		on, err := strconv.ParseBool(f.Value.String())
		return err == nil && on
	}
}

func mentionsMarkers(source *unit.Source) bool {
	return slices.ContainsFunc(source.Files, func(f unit.SourceFile) bool { return markers.Mentions(f.Content) })
}

// mentionsSpawns reports whether a package may detach a child: by what is in one
// of its files, or through a helper that one of its dependencies has.
func mentionsSpawns(source *unit.Source) bool {
	return len(source.FactPackages) > 0 || slices.ContainsFunc(source.Files, func(f unit.SourceFile) bool {
		return detachedspawn.Relevant(f.Imports, f.Content)
	})
}

// declares reports whether the analyzer's flag "declare" is set: any package may
// call what it declares.
func declares(a *analysis.Analyzer) bool {
	f := a.Flags.Lookup("declare")
	return f != nil && f.Value.String() != ""
}

// mentionsLoops reports whether a package may block, run on a loop or hand
// something to one. Files that the build leaves out are not looked at.
func mentionsLoops(source *unit.Source) bool {
	return len(source.FactPackages) > 0 || slices.ContainsFunc(source.Files, func(f unit.SourceFile) bool {
		return !f.Ignored && loopblock.Relevant(f.Imports, f.Content)
	})
}
