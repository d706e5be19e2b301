package ratchet

// Growth is what a baseline has that an earlier one had not.
type Growth struct {
	Grown   []Entry  // in the order of the later baseline
	Renamed []Rename // entries that came back under another declaration's name
}

// A Rename is an entry that left and the one that came in its place.
type Rename struct{ From, To Entry }

// Compare returns what head has and base has not. Where, for one expression in
// one package, everything that left one declaration came back in one other, the
// declaration was renamed and nothing has grown.
func Compare(base, head []Entry) Growth {
	added := minus(head, base)
	left, came := byExpr(minus(base, head)), byExpr(added)
	from := make(map[Key]Entry)
	for expr, entries := range came {
		if !renamed(left[expr], entries) {
			continue
		}
		for i, e := range entries {
			from[e.Key] = left[expr][i]
		}
	}
	var growth Growth
	for _, e := range added {
		if old, ok := from[e.Key]; ok {
			growth.Renamed = append(growth.Renamed, Rename{From: old, To: e})
		} else {
			growth.Grown = append(growth.Grown, e)
		}
	}
	return growth
}

// minus returns the entries of a whose keys b does not have.
func minus(a, b []Entry) []Entry {
	have := make(map[Key]bool)
	for _, e := range b {
		have[e.Key] = true
	}
	var rest []Entry
	for _, e := range a {
		if !have[e.Key] {
			rest = append(rest, e)
		}
	}
	return rest
}

// byExpr groups entries that differ in declaration and rank alone.
func byExpr(entries []Entry) map[Key][]Entry {
	groups := make(map[Key][]Entry)
	for _, e := range entries {
		key := Key{Category: e.Category, Package: e.Package, Expr: e.Expr}
		groups[key] = append(groups[key], e)
	}
	return groups
}

// renamed reports whether the entries that left and those that came are as
// many, and each of the two belong to one declaration.
func renamed(left, came []Entry) bool {
	return len(left) == len(came) && oneSymbol(left) && oneSymbol(came)
}

func oneSymbol(entries []Entry) bool {
	for _, e := range entries {
		if e.Symbol != entries[0].Symbol {
			return false
		}
	}
	return true
}
