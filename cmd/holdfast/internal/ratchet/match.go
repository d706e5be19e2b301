package ratchet

import (
	"slices"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// A Scope says of which entries a run can tell that they are stale.
type Scope struct {
	// Packages are the import paths that the run analysed on every platform
	// that the repository is checked for. A package of which the run left out
	// a platform or could not judge a file does not belong here.
	Packages map[string]bool
	// Whole is true if the run covered every package below the root, on every
	// platform: entries of other packages speak of what no longer exists.
	Whole bool
	// Categories are the rules that the run applied; nil is all of them.
	Categories map[string]bool
}

// covers reports whether the run would have found what the entry accepts.
func (s Scope) covers(e Entry) bool {
	if s.Categories != nil && !s.Categories[e.Category] {
		return false
	}
	return s.Whole || s.Packages[e.Package]
}

// A Result tells apart what a baseline makes of a run's findings.
type Result struct {
	New      []*finding.Finding // in the order of the findings
	Accepted []Accepted         // in the order of the findings
	Stale    []Stale            // in the order of the baseline
}

// Accepted is a finding and the entry that accepts it.
type Accepted struct {
	Finding *finding.Finding
	Entry   Entry
}

// Stale is an entry that accepts nothing any more.
type Stale struct {
	Entry Entry
	// Moved is a new finding with the entry's expression in another
	// declaration of the same package, if there is exactly one: the
	// declaration was probably renamed.
	Moved *finding.Finding
}

// Match holds the entries against the findings of a run. Each entry accepts one
// finding. Equal findings of one declaration can only be counted, so where their
// ranks differ from the entries' ranks, an entry accepts the first one left.
func Match(entries []Entry, findings []*finding.Finding, scope Scope) Result {
	open := make(map[Key][]Entry) // entries that have accepted nothing, by equals
	for _, e := range entries {
		open[e.equals()] = append(open[e.equals()], e)
	}
	acceptedBy := make(map[*finding.Finding]Entry)
	accept := func(fits func(Entry, *finding.Finding) bool) {
		for _, f := range findings {
			group := KeyOf(f).equals()
			i := slices.IndexFunc(open[group], func(e Entry) bool { return fits(e, f) })
			if _, done := acceptedBy[f]; done || i < 0 {
				continue
			}
			acceptedBy[f] = open[group][i]
			open[group] = slices.Delete(open[group], i, i+1)
		}
	}
	accept(func(e Entry, f *finding.Finding) bool { return e.K == f.K })
	accept(func(Entry, *finding.Finding) bool { return true })

	var result Result
	for _, f := range findings {
		if e, ok := acceptedBy[f]; ok {
			result.Accepted = append(result.Accepted, Accepted{f, e})
		} else {
			result.New = append(result.New, f)
		}
	}
	for _, e := range entries {
		if slices.Contains(open[e.equals()], e) && scope.covers(e) {
			result.Stale = append(result.Stale, Stale{Entry: e, Moved: movedTo(e, result.New)})
		}
	}
	return result
}

// movedTo returns the only finding that is the entry's but for its declaration.
func movedTo(e Entry, findings []*finding.Finding) *finding.Finding {
	var found *finding.Finding
	for _, f := range findings {
		if f.Category != e.Category || f.Package != e.Package || f.Expr != e.Expr {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}
