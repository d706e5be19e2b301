package roots

import "go/types"

type pattern struct{}

var nonBlockingPatterns []pattern

func patternOf(fn *types.Func) (Root, bool) { return Root{}, false }

func matchesAny(patterns []pattern, fn *types.Func) bool { return false }
