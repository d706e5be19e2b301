package loopblock

import (
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/analyzers/internal/marker"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// Category is the category of every finding, and the name of its marker.
const Category = string(marker.LoopBlock)

// Advice is the category of what -loopblock.auto says. It is no finding: no
// driver fails on it.
const Advice = "loop-advice"

// Options configure the analyzer. Each has a flag.
type Options struct {
	// Tests judges _test.go files as well.
	Tests bool

	// Auto advises on hand-written loops without a directive that look like
	// event loops and block.
	Auto bool

	// Entries notes what runs on which loop, for editors: see [Entry].
	Entries bool

	// Depth bounds the functions between a loop's own code and the blocking
	// call. 0 means DefaultDepth.
	Depth int

	// Kinds are the kinds of blocking work to look for. None means the default:
	// all but stat, lock and stdio.
	Kinds []string
}

// Analyzer reports blocking work on event loops with the default options.
var Analyzer = New(Options{})

// New returns an analyzer that reports blocking work on event loops. Its
// result is a marker.Used.
func New(options Options) *analysis.Analyzer {
	c := &checker{newSettings(options)}
	a := &analysis.Analyzer{
		Name:       "loopblock",
		Doc:        doc,
		URL:        "https://pkg.go.dev/github.com/holdfast-go/holdfast/analyzers/loopblock",
		Run:        c.run,
		FactTypes:  []analysis.Fact{(*Summaries)(nil), (*Implementations)(nil), (*Unresolved)(nil)},
		ResultType: reflect.TypeFor[marker.Used](),
	}
	c.settings.register(&a.Flags)
	return a
}

// A checker is the configured analyzer.
type checker struct{ settings *settings }

func (c *checker) run(pass *analysis.Pass) (any, error) {
	module := ""
	if pass.Module != nil {
		module = pass.Module.Path
	}
	if isStandard(pass.Pkg.Path(), module) || roots.Opaque(pass.Pkg.Path()) {
		return make(marker.Used), nil // the tables are all there is to know
	}
	p := newProgram(pass, c.settings)
	p.follow()
	p.link()
	p.solve()
	found := p.collect()
	list := slices.Concat(found.findings(), p.brokenPromises(), p.cuts())
	if !c.settings.entries { // an editor shows what a file's own package says
		list = append(list, found.joined()...)
	}
	if c.settings.auto {
		list = append(list, found.advice()...)
	}
	if c.settings.entries {
		list = append(list, found.lenses()...)
	}
	p.report(list)
	found.export()
	return p.used(), p.known.err
}
