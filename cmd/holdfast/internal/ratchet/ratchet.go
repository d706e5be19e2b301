// Package ratchet keeps the list of accepted findings and lets it move one way:
// entries leave, none come in.
//
// The list is the baseline, a text file with one line an entry:
//
//	detached-spawn example.com/agent/proc (*Runner).start `&syscall.SysProcAttr{Setsid: true}` #1 — the daemon must outlive the client
//
// An entry is known by what it says of the source, never by a line number or a
// file's name, so it survives moved code and two branches merge as text.
package ratchet

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// DefaultFile is the baseline's path below the root of the module or workspace,
// with forward slashes.
const DefaultFile = "baseline/holdfast.baseline"

// A Key is the identity of a finding. It holds no position.
type Key struct {
	Category string // the rule
	Package  string // import path
	Symbol   string // enclosing declaration: "(*T).Method", "f", "var x"; "?" if unknown
	Expr     string // the finding's source text, normalised
	K        int    // 1 for the first of the equal ones in Symbol, by position
}

// KeyOf returns the identity of a finding that Identify has seen.
func KeyOf(f *finding.Finding) Key {
	return Key{Category: f.Category, Package: f.Package, Symbol: f.Symbol, Expr: f.Expr, K: f.K}
}

// String returns the key as the baseline spells it.
func (k Key) String() string {
	return fmt.Sprintf("%s %s %s %s #%d", k.Category, k.Package, k.Symbol, quote(k.Expr), k.K)
}

// equals returns the key that all equal findings of one declaration share.
func (k Key) equals() Key {
	k.K = 0
	return k
}

// An Entry is one accepted finding.
type Entry struct {
	Key
	Reason string
	Line   int // 1-based, in the file that the entry was read from; 0 for a new one
}

// NewEntry returns an entry that can be written to a baseline, or an error that
// says why it cannot.
func NewEntry(key Key, reason string) (Entry, error) {
	e := Entry{Key: key, Reason: strings.Join(strings.Fields(reason), " ")}
	return e, e.check()
}

// String returns the entry's line, without a line break.
func (e Entry) String() string { return e.Key.String() + separator + e.Reason }

// separator stands between a key and its reason.
const separator = " — "

// check reports what keeps the entry from being written and read back.
func (e Entry) check() error {
	switch {
	case !ruleName.MatchString(e.Category):
		return fmt.Errorf("%q is not the name of a rule", e.Category)
	case !isWord(e.Package):
		return fmt.Errorf("%q is not an import path", e.Package)
	case !isSymbol(e.Symbol):
		return fmt.Errorf("%q is not the name of a declaration", e.Symbol)
	case !utf8.ValidString(e.Expr):
		return fmt.Errorf("the expression %q is not UTF-8", e.Expr)
	case e.K < 1:
		return fmt.Errorf("#%d is not a rank: the first of equal findings is #1", e.K)
	case !isPrintable(e.Reason) || e.Reason != strings.TrimSpace(e.Reason):
		return fmt.Errorf("the reason %q has characters that do not print", e.Reason)
	}
	if err := rules.CheckReason(e.Reason); err != nil {
		return fmt.Errorf("the entry %w", err)
	}
	return nil
}

// ruleName keeps a line from looking like a mark of a merge conflict.
var ruleName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_./-]*$`)

func isWord(s string) bool {
	return s != "" && isPrintable(s) && !strings.ContainsAny(s, " \"`")
}

// isSymbol accepts words that single spaces separate.
func isSymbol(s string) bool {
	for word := range strings.SplitSeq(s, " ") {
		if !isWord(word) {
			return false
		}
	}
	return true
}

func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// compareEntries orders entries as their lines sort byte by byte.
func compareEntries(a, b Entry) int { return cmp.Compare(a.String(), b.String()) }
