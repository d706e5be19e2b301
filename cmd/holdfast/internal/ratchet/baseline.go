package ratchet

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a baseline. Its lines may stand in any order, as a merge leaves
// them; blank lines and a carriage return at a line's end are passed over.
// An error says name, line and fault of every bad line; name is what to call
// the file. No entries are returned with an error.
func Parse(name string, data []byte) ([]Entry, error) {
	lines := strings.Split(string(bytes.TrimPrefix(data, []byte("\ufeff"))), "\n")
	if err := findConflict(name, lines); err != nil {
		return nil, err
	}
	var entries []Entry
	var problems []error
	first := make(map[Key]int)
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		entry, err := parseLine(line)
		if err == nil && first[entry.Key] != 0 {
			err = fmt.Errorf("repeats the entry of line %d: delete one of the two", first[entry.Key])
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", name, i+1, err))
			continue
		}
		entry.Line = i + 1
		first[entry.Key] = entry.Line
		entries = append(entries, entry)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return entries, nil
}

// Format returns the text of a baseline: one line an entry, sorted by bytes.
func Format(entries []Entry) []byte {
	sorted := slices.SortedFunc(slices.Values(entries), compareEntries)
	var b bytes.Buffer
	for _, e := range sorted {
		b.WriteString(e.String())
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// findConflict looks for what git leaves in a file that it could not merge.
func findConflict(name string, lines []string) error {
	for i, line := range lines {
		for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
			if strings.HasPrefix(line, mark) {
				return fmt.Errorf("%s:%d: unresolved merge conflict: delete the lines that start with <<<<<<<, |||||||, ======= and >>>>>>>, "+
					"keep the entries of both sides, each once, and run \"holdfast baseline prune\"", name, i+1)
			}
		}
	}
	return nil
}

// parseLine reads: category package symbol "expression" #k — reason
func parseLine(line string) (Entry, error) {
	var e Entry
	if !utf8.ValidString(line) {
		return e, errors.New("the line is not UTF-8 text")
	}
	e.Category, line, _ = strings.Cut(line, " ")
	e.Package, line, _ = strings.Cut(line, " ")
	start := strings.IndexAny(line, "\"`")
	if start < 0 {
		return e, malformed("there is no quoted expression")
	}
	e.Symbol, line = strings.TrimSuffix(line[:start], " "), line[start:]
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return e, malformed("the expression's quote is not closed, or has a bad escape")
	}
	if e.Expr, err = strconv.Unquote(quoted); err != nil {
		return e, malformed("the expression cannot be unquoted")
	}
	if e.K, e.Reason, err = parseRank(line[len(quoted):]); err != nil {
		return e, err
	}
	return e, e.check()
}

// parseRank reads: #k — reason
func parseRank(text string) (k int, reason string, err error) {
	rank, reason, found := strings.Cut(text, strings.TrimRight(separator, " "))
	digits, hash := strings.CutPrefix(strings.TrimSpace(rank), "#")
	k, err = strconv.Atoi(digits)
	if !hash || err != nil || digits != strconv.Itoa(k) {
		return 0, "", malformed(fmt.Sprintf("%q is not a rank such as #1", strings.TrimSpace(rank)))
	}
	if !found {
		return 0, "", malformed("there is no reason behind the rank")
	}
	return k, strings.Join(strings.Fields(reason), " "), nil
}

func malformed(what string) error {
	return fmt.Errorf("%s; a line is: rule package declaration \"expression\" #1 — reason", what)
}

// quote writes an expression so that it stays readable: in backquotes where
// that shows every character as it is, and as a Go string otherwise.
func quote(expr string) string {
	plain := !strings.ContainsFunc(expr, func(r rune) bool { return !unicode.IsPrint(r) })
	if plain && strconv.CanBackquote(expr) {
		return "`" + expr + "`"
	}
	return strconv.Quote(expr)
}
