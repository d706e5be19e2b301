package check

import (
	"slices"
	"strings"
)

// describe returns one text for each problem, naming all platforms that have it.
func describe(problems []Problem) []string {
	var groups []Problem
	platforms := make(map[Problem][]string)
	for _, problem := range problems {
		key := Problem{Package: problem.Package, Text: problem.Text}
		i := slices.IndexFunc(groups, func(p Problem) bool { return p.Package == key.Package && p.Text == key.Text })
		if i < 0 {
			groups = append(groups, problem)
		} else if problem.Hint == "" {
			groups[i].Hint = "" // not a matter of the platform
		}
		platforms[key] = append(platforms[key], problem.Platform)
	}
	var texts []string
	for _, group := range groups {
		names := platforms[Problem{Package: group.Package, Text: group.Text}]
		texts = append(texts, group.describe(strings.Join(names, ", ")))
	}
	return texts
}

// describe returns "import/path on linux: text", or the text on lines of its own.
func (p Problem) describe(platforms string) string {
	what := p.Package
	if what == "" {
		what = "the packages"
	}
	text := what + " on " + platforms + ":"
	if strings.Contains(p.Text, "\n") {
		text += "\n\t" + strings.ReplaceAll(p.Text, "\n", "\n\t")
	} else {
		text += " " + p.Text
	}
	if p.Hint != "" {
		text += "\n\t" + p.Hint
	}
	return text
}
