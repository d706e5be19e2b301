package report

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
)

// Changes are the lines of files, by absolute path, that differ from a base.
type Changes map[string][]lines

// lines is a range of 1-based lines, the end inclusive.
type lines struct{ start, end int }

// ChangedLines returns the lines of the working tree that the revision base
// does not have. Files that git does not track are left out.
func ChangedLines(ctx context.Context, dir, base string) (Changes, error) {
	if err := git.CheckRevision(base); err != nil {
		return nil, err
	}
	root, err := git.Root(ctx, dir)
	if err != nil {
		return nil, err
	}
	diff, err := git.Output(ctx, root, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/", base, "--")
	if err != nil {
		return nil, fmt.Errorf("looking for the lines that changed since %s: %w", base, err)
	}
	changes := make(Changes)
	for name, ranges := range parseDiff(diff) {
		changes[filepath.Join(root, filepath.FromSlash(name))] = ranges
	}
	return changes, nil
}

// Touch reports whether a line from start to end has changed.
func (c Changes) Touch(file string, start, end int) bool {
	for _, changed := range c[file] {
		if changed.start <= max(start, end) && start <= changed.end {
			return true
		}
	}
	return false
}

// parseDiff returns the added lines of a diff without context, by file.
func parseDiff(diff string) map[string][]lines {
	changes := make(map[string][]lines)
	name := ""
	body := 0 // lines of a hunk still to come
	for line := range strings.SplitSeq(diff, "\n") {
		if body > 0 && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
			body--
			continue
		}
		if path, ok := strings.CutPrefix(line, "+++ "); ok {
			name = diffName(path)
		}
		removed, added, ok := parseHunk(line)
		if !ok {
			continue
		}
		body = removed + added.end - added.start + 1
		if name != "" && added.end >= added.start {
			changes[name] = append(changes[name], added)
		}
	}
	return changes
}

// diffName returns the path of a "+++ " line; "" for a file that is gone.
func diffName(text string) string {
	text = strings.TrimSuffix(text, "\t") // ends a name with spaces
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	name, ok := strings.CutPrefix(text, "b/")
	if !ok {
		return ""
	}
	return name
}

// parseHunk reads "@@ -1,2 +3,4 @@": how many lines go, and which ones come.
func parseHunk(line string) (removed int, added lines, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" {
		return 0, lines{}, false
	}
	_, removed, okOld := parseRange(fields[1], "-")
	start, n, okNew := parseRange(fields[2], "+")
	return removed, lines{start, start + n - 1}, okOld && okNew
}

// parseRange reads "+3,4", or "+3" for one line.
func parseRange(text, sign string) (start, n int, ok bool) {
	text, ok = strings.CutPrefix(text, sign)
	first, size, many := strings.Cut(text, ",")
	start, err := strconv.Atoi(first)
	if err != nil || !ok {
		return 0, 0, false
	}
	if !many {
		return start, 1, true
	}
	n, err = strconv.Atoi(size)
	return start, n, err == nil
}
