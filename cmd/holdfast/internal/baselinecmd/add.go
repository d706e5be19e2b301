package baselinecmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// add accepts one finding.
func (c Command) add(ctx context.Context, inv *invocation) error {
	at, err := inv.place()
	if err != nil {
		return err
	}
	root, err := ratchet.Root(ctx, filepath.Dir(at.file))
	if err != nil {
		return err
	}
	path := inv.file(root)
	if _, err := ratchet.Load(path); err != nil {
		return err // before the run, which takes its time
	}
	judged, err := c.Judge(ctx, filepath.Dir(at.file), []string{"."})
	if err != nil {
		return fmt.Errorf("nothing was added: %w", err)
	}
	ratchet.Identify(judged.Findings)
	entries, err := ratchet.Load(path)
	if err != nil {
		return err
	}
	result := ratchet.Match(entries, judged.Findings, ratchet.Scope{})
	found, err := inv.choose(at, result)
	if err != nil || found == nil {
		return err
	}
	entry, err := ratchet.NewEntry(ratchet.KeyOf(found), inv.reason)
	if err != nil {
		return err
	}
	if err := ratchet.Save(path, append(entries, entry)); err != nil {
		return err
	}
	fmt.Fprintln(inv.stdout, entry)
	fmt.Fprintf(inv.stderr, "holdfast: added to %s\n", inv.show(path))
	return nil
}

// A place is a position that a person typed; col is 0 if it was left out.
type place struct {
	file      string
	line, col int
}

var placeShape = regexp.MustCompile(`^(.+?):([0-9]+)(?::([0-9]+))?$`)

// place reads the arguments of add.
func (inv *invocation) place() (place, error) {
	if len(inv.args) != 1 {
		return place{}, errors.New("name one place, as FILE:LINE: findings are accepted one at a time")
	}
	parts := placeShape.FindStringSubmatch(inv.args[0])
	if parts == nil {
		return place{}, fmt.Errorf("%q is not a place: write FILE:LINE or FILE:LINE:COL", inv.args[0])
	}
	if err := rules.CheckReason(inv.reason); err != nil {
		return place{}, fmt.Errorf("the entry %w (-reason \"…\")", err)
	}
	at := place{file: parts[1]}
	at.line, _ = strconv.Atoi(parts[2])
	at.col, _ = strconv.Atoi(parts[3])
	if !filepath.IsAbs(at.file) {
		at.file = filepath.Join(inv.dir, at.file)
	}
	if _, err := os.Stat(at.file); err != nil {
		return place{}, fmt.Errorf("%q: %w", inv.args[0], err)
	}
	return at, nil
}

// choose returns the only new finding at a place. It returns nil and no error
// if the one that is there has been accepted before.
func (inv *invocation) choose(at place, result ratchet.Result) (*finding.Finding, error) {
	here := func(f *finding.Finding) bool {
		return f.Line == at.line && (at.col == 0 || f.Col == at.col) && (inv.rule == "" || f.Category == inv.rule) && sameFile(f.File, at.file)
	}
	var found []*finding.Finding
	for _, f := range result.New {
		if here(f) {
			found = append(found, f)
		}
	}
	accepted := slices.IndexFunc(result.Accepted, func(a ratchet.Accepted) bool { return here(a.Finding) })
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%d findings stand there, and they are accepted one at a time: add the column, or -rule:%s", len(found), inv.table(found))
	case accepted >= 0:
		fmt.Fprintf(inv.stderr, "holdfast: that finding is accepted already, by line %d of the baseline\n", result.Accepted[accepted].Entry.Line)
		return nil, nil
	}
	elsewhere := slices.DeleteFunc(slices.Clone(result.New), func(f *finding.Finding) bool { return !sameFile(f.File, at.file) })
	if len(elsewhere) == 0 {
		return nil, fmt.Errorf("there is no finding in %s", inv.show(at.file))
	}
	return nil, fmt.Errorf("there is no such finding at line %d; the file has:%s", at.line, inv.table(elsewhere))
}

// table lists findings, one an indented line.
func (inv *invocation) table(findings []*finding.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\n\t%s:%d:%d: %s (%s)", inv.show(f.File), f.Line, f.Col, f.Message, f.Category)
	}
	return b.String()
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
