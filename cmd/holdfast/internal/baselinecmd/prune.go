package baselinecmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// prune deletes stale entries.
func (c Command) prune(ctx context.Context, inv *invocation) error {
	root, err := ratchet.Root(ctx, inv.dir)
	if err != nil {
		return err
	}
	path := inv.file(root)
	entries, err := ratchet.Load(path)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		fmt.Fprintf(inv.stderr, "holdfast: no exceptions in %s, nothing to prune\n", inv.show(path))
		return nil
	}
	judged, err := c.judgeFor(ctx, inv, root)
	if err != nil {
		return fmt.Errorf("nothing was pruned: %w", err)
	}
	// The run took its time: what a person wrote meanwhile must not be lost.
	if entries, err = ratchet.Load(path); err != nil {
		return err
	}
	stale := ratchet.Match(entries, judged.Findings, judged.Scope).Stale
	kept := slices.DeleteFunc(slices.Clone(entries), func(e ratchet.Entry) bool {
		return slices.ContainsFunc(stale, func(s ratchet.Stale) bool { return s.Entry.Key == e.Key })
	})
	if len(stale) > 0 {
		if err := ratchet.Save(path, kept); err != nil {
			return err
		}
	}
	for _, s := range stale {
		fmt.Fprintln(inv.stdout, s.Entry)
	}
	fmt.Fprintf(inv.stderr, "holdfast: deleted %d of %d entries in %s\n", len(stale), len(entries), inv.show(path))
	return nil
}

// judgeFor judges the packages that the arguments name, or all of them.
func (c Command) judgeFor(ctx context.Context, inv *invocation, root string) (Judged, error) {
	dir, patterns := inv.dir, inv.args
	if len(patterns) == 0 {
		dir, patterns = root, []string{"./..."}
	}
	judged, err := c.Judge(ctx, dir, patterns)
	if err != nil {
		return Judged{}, err
	}
	ratchet.Identify(judged.Findings)
	return judged, nil
}
