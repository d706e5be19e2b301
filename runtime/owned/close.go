package owned

import (
	"context"
	"errors"
	"sync"
)

// Close stops everything that is owned, as [Child.Stop] does and all at once,
// and lets the supervisor go. Nothing can be started afterwards. Close takes
// the longest grace and about three seconds at most, less if ctx ends; the
// error says what is still alive. It is not needed before the program ends: the
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
	errs := make([]error, len(children))
	var stops sync.WaitGroup
	for i, c := range children {
		stops.Go(func() { errs[i] = c.Stop(ctx) })
	}
	stops.Wait()
	errs = append(errs, o.platform.close(ctx))
	if o.ledger != nil {
		errs = append(errs, o.ledger.Close())
	}
	return errors.Join(errs...)
}
