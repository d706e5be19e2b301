package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// maxPasses bounds the sweep of something that starts processes as fast as they
// are ended. One pass misses what was born during it.
const maxPasses = 10

// end ends the orphans, looks again for more of the same owners, and so on until
// it finds none.
func (c *command) end(ctx context.Context, proven []owned.Orphan) (code int, err error) {
	agreed := map[procid.Identity]bool{}
	for _, o := range proven {
		agreed[o.Owner] = true
	}
	ended := 0
	for range maxPasses {
		err := owned.EndOrphans(ctx, proven, c.grace)
		// What is left has to be said, also after Ctrl-C.
		left, lookErr := c.leftBy(context.WithoutCancel(ctx), agreed)
		if lookErr != nil {
			return exitTrouble, lookErr
		}
		ended += len(proven) - overlap(proven, left)
		if len(left) == 0 {
			fmt.Fprintf(c.stderr, "Ended %s.\n", count(ended))
			return exitNothing, c.forget(ctx)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			fmt.Fprintf(c.stderr, "Ended %s.\n", count(ended))
			return exitLeft, err
		}
		proven = left
	}
	return exitLeft, fmt.Errorf("%s came anew in each of %d passes and are left", count(len(proven)), maxPasses)
}

// leftBy returns the proven orphans of the owners.
func (c *command) leftBy(ctx context.Context, owners map[procid.Identity]bool) ([]owned.Orphan, error) {
	orphans, err := owned.Orphans(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	var left []owned.Orphan
	for _, o := range provenOf(orphans) {
		if owners[o.Owner] {
			left = append(left, o)
		}
	}
	return left, nil
}

func overlap(before, after []owned.Orphan) int {
	still := map[procid.Identity]bool{}
	for _, o := range after {
		still[o.Process.Identity] = true
	}
	n := 0
	for _, o := range before {
		if still[o.Process.Identity] {
			n++
		}
	}
	return n
}

// forget removes the files of dead owners of which nothing is left. It changes
// nothing without -kill.
func (c *command) forget(ctx context.Context) error {
	if !c.kill {
		return nil
	}
	_, err := owned.ForgetFinished(ctx, c.dir)
	return err
}

func provenOf(orphans []owned.Orphan) []owned.Orphan {
	var proven []owned.Orphan
	for _, o := range orphans {
		if o.Proven() {
			proven = append(proven, o)
		}
	}
	return proven
}
