package owned

import (
	"context"
	"errors"
	"time"
)

// Close stops everything that is owned, as [Child.Stop] does and all at once,
// and lets the supervisor go. Nothing can be started afterwards. Close takes
// the longest grace and about three seconds at most, less if ctx ends, and two
// more if the disk of the ledger does not answer; the error says so, and what is
// still alive. It is not needed before the program ends: the
// supervisor does the same then.
func (o *Owner) Close(ctx context.Context) error {
	o.mu.Lock()
	children := make([]*Child, 0, len(o.children))
	for c := range o.children {
		children = append(children, c)
	}
	opened := o.opened && !o.closed
	o.closed = true
	o.mu.Unlock()
	if !opened {
		return nil
	}
	err := o.platform.close(ctx, children)
	o.awaitStatuses(children)
	return errors.Join(err, o.journal.close())
}

// awaitStatuses reaps the children that have ended, and gives those whose
// output somebody holds a moment.
func (o *Owner) awaitStatuses(children []*Child) {
	deadline := time.After(WaitDelay + time.Second)
	for _, c := range children {
		if c.settings.waitElsewhere {
			continue
		}
		select {
		case <-c.waited:
		case <-deadline:
			return
		}
	}
}
