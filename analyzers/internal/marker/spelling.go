package marker

import "strings"

// closest returns the candidate that name means to be: equal but for case,
// "-", "_" and spaces, or one slip of the keyboard away (two in a long word).
func closest(name string, candidates []string) (string, bool) {
	folded := fold(name)
	best, least := "", -1
	for _, candidate := range candidates {
		want := fold(candidate)
		limit := len(want) / 6 // "loopback" must not become loop-block
		if d := distance(folded, want, limit); d <= limit && (least < 0 || d < least) {
			best, least = candidate, d
		}
	}
	return best, least >= 0
}

// nearest is closest for words that stand where only a candidate can stand, and
// so may be further off.
func nearest(name string, candidates []string) (string, bool) {
	best, least := "", 3
	for _, candidate := range candidates {
		if d := distance(fold(name), fold(candidate), 2); d < least && d < len(candidate)/2 {
			best, least = candidate, d
		}
	}
	return best, best != ""
}

func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, name))
}

// distance is the optimal string alignment distance: insertions, deletions,
// replacements and swaps of neighbours. Above limit it is only known to be above.
func distance(a, b string, limit int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > limit {
		return limit + 1
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
