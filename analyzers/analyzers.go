// Package analyzers lists holdfast's go/analysis suite, for drivers that take
// analyzers as values: go vet tools, nogo, golangci-lint plugins.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/detachedspawn"
	"github.com/holdfast-go/holdfast/analyzers/loopblock"
	"github.com/holdfast-go/holdfast/analyzers/markers"
)

// A Suite is the analyzers that belong together: markers are judged by what
// the others made of them.
type Suite struct {
	DetachedSpawn *analysis.Analyzer
	LoopBlock     *analysis.Analyzer
	Markers       *analysis.Analyzer
}

// New returns a suite with the default options. Each suite has flags of its own.
func New() Suite {
	spawns := detachedspawn.New(detachedspawn.Options{})
	loops := loopblock.New(loopblock.Options{})
	return Suite{
		DetachedSpawn: spawns,
		LoopBlock:     loops,
		Markers:       markers.New(markers.Options{Judges: markers.Judges(spawns, loops)}),
	}
}

// All returns the suite's analyzers.
func (s Suite) All() []*analysis.Analyzer {
	return []*analysis.Analyzer{s.DetachedSpawn, s.LoopBlock, s.Markers}
}
