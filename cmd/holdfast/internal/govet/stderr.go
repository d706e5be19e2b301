package govet

import "strings"

// splitBlocks takes apart what the go command writes to standard error: output
// of a tool under a "# import/path" line, and errors of its own. Lines that say
// what is being downloaded are left out.
func splitBlocks(stderr string) []Problem {
	var blocks []Problem
	var current *Problem
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		switch header, isHeader := strings.CutPrefix(line, "# "); {
		case isHeader:
			blocks = append(blocks, Problem{Package: packageOf(header)})
			current = &blocks[len(blocks)-1]
		case strings.HasPrefix(line, "go: downloading "), strings.TrimSpace(line) == "":
			continue
		case current == nil:
			blocks = append(blocks, Problem{Text: line})
			if continues(line) {
				current = &blocks[len(blocks)-1]
			}
		default:
			current.Text = strings.TrimPrefix(current.Text+"\n"+line, "\n")
		}
	}
	return withText(blocks)
}

// packageOf returns the import path in a "# path", "# [path]" or "# path
// [path.test]" line.
func packageOf(header string) string {
	path, _, _ := strings.Cut(header, " [")
	return strings.Trim(strings.TrimSpace(path), "[]")
}

// continues reports whether the lines after an error of the go command belong
// to it: an import path, then who imports it.
func continues(line string) bool {
	return strings.HasPrefix(line, "package ") || strings.HasPrefix(line, "pattern ") || strings.HasSuffix(line, ":")
}

// withText drops headers that nothing followed: the go command repeats them
// for test variants.
func withText(blocks []Problem) []Problem {
	var kept []Problem
	for _, block := range blocks {
		if block.Text != "" {
			kept = append(kept, block)
		}
	}
	return kept
}
