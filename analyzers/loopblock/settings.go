package loopblock

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// DefaultDepth is how many functions may stand between a loop's own code and
// the blocking call. Longer chains were mostly ones that cannot happen: shut-down
// paths, or several interfaces in a row (measured over 31 repositories).
const DefaultDepth = 8

// settings are an analyzer's options as its flags leave them.
type settings struct {
	tests    bool
	auto     bool
	entries  bool
	depth    int
	kinds    kindSet
	declared declarations
}

func newSettings(o Options) *settings {
	s := &settings{tests: o.Tests, auto: o.Auto, entries: o.Entries, depth: o.Depth, kinds: kindSet{o.Kinds}}
	if s.depth == 0 {
		s.depth = DefaultDepth
	}
	if len(o.Kinds) == 0 {
		s.kinds.list = kindNames(roots.Default())
	}
	return s
}

func (s *settings) register(flags *flag.FlagSet) {
	flags.BoolVar(&s.tests, "tests", s.tests, "judge _test.go files as well")
	flags.BoolVar(&s.auto, "auto", s.auto, "advise on hand-written loops that look like event loops and block")
	flags.BoolVar(&s.entries, "entries", s.entries, "note what runs on which loop, and leave out what only a program knows of its packages, for editors")
	flags.IntVar(&s.depth, "depth", s.depth, "longest chain of functions to follow")
	flags.Var(&s.kinds, "kinds", "comma-separated `kinds` of blocking work; +kind and -kind change the default")
	flags.Var(&s.declared, "declare", "`directives` for functions that cannot be edited, separated by semicolons: (*example.com/db.Client).Do blocking kinds=net")
}

func (s *settings) on(kind roots.Kind) bool { return slices.Contains(s.kinds.list, string(kind)) }

// A kindSet is the value of the flag -kinds.
type kindSet struct{ list []string }

func (k *kindSet) String() string { return strings.Join(k.list, ",") }

// Set takes a list of kinds, or changes to the list that stands.
func (k *kindSet) Set(value string) error {
	list := slices.Clone(k.list)
	if !strings.HasPrefix(value, "+") && !strings.HasPrefix(value, "-") {
		list = nil
	}
	for word := range strings.SplitSeq(value, ",") {
		name := strings.TrimLeft(strings.TrimSpace(word), "+-")
		if !slices.Contains(kindNames(roots.Kinds()), name) {
			return fmt.Errorf("unknown kind %q: the kinds are %s", name, strings.Join(kindNames(roots.Kinds()), ", "))
		}
		list = slices.DeleteFunc(list, func(known string) bool { return known == name })
		if !strings.HasPrefix(strings.TrimSpace(word), "-") {
			list = append(list, name)
		}
	}
	// The order of the table, so that equal sets are equal flags.
	slices.SortFunc(list, func(a, b string) int {
		names := kindNames(roots.Kinds())
		return slices.Index(names, a) - slices.Index(names, b)
	})
	k.list = list
	return nil
}

func kindNames(kinds []roots.Kind) []string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return names
}
