package loopblock

import (
	"bytes"
	"slices"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// Relevant reports, from its imports and its text alone, whether a file may
// block, hand blocking work on, or run on a loop: it imports something that
// blocks or another module's package, takes functions, has interfaces, or has a
// directive. It errs on the side of yes.
//
// A package of which no file is relevant has no findings and no facts, unless
// something that it imports has facts.
func Relevant(imports []string, content []byte) bool {
	return slices.ContainsFunc(imports, mayMatter) ||
		slices.ContainsFunc(traces, func(trace []byte) bool { return bytes.Contains(content, trace) })
}

func mayMatter(path string) bool {
	return !isStandard(path, "") || roots.Mentions(path) || frameworks.Mentions(path)
}

// traces are the words of what hands blocking work on.
var traces = [][]byte{[]byte("func("), []byte("interface"), []byte("<-"), []byte("//holdfast:")}
