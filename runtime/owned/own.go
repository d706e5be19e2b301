package owned

import "fmt"

// Own takes process groups in hand that another library started: they die with
// this process from now on. The caller has to know that they are what it
// means; a group of the caller's own children that it has not waited for is.
//
// A group is refused, with an error, if it is 1 or less, this process's own or
// without a process. The others are then owned all the same. Own starts the
// supervisor if none runs, and does not block otherwise.
//
// A group that has ended is let go of by itself.
func (o *Owner) Own(groups ...int) error {
	if len(groups) == 0 {
		return nil
	}
	o.mu.Lock()
	err := o.open()
	o.mu.Unlock()
	if err != nil {
		return err
	}
	if err := o.platform.own(o, groups); err != nil {
		return fmt.Errorf("owned: %w", err)
	}
	return nil
}

// Release lets process groups go that [Owner.Own] took: they live on when this
// process dies. Other groups are ignored, those of children of [Owner.Start]
// too: what descends from these carries a mark and is known by it. A child that
// is meant to outlive its owner is started with [Owner.Keep].
func (o *Owner) Release(groups ...int) {
	for _, group := range groups {
		o.platform.disown(group)
	}
}

// ReleaseOnceEmpty lets process groups go as soon as nothing in them is alive,
// which is now if they are empty. It returns at once. It is for the teardown of
// a child that may have left others in its group: they stay owned.
func (o *Owner) ReleaseOnceEmpty(groups ...int) {
	for _, group := range groups {
		if h := o.find(group); h != nil {
			h.releaseIfEmpty()
		}
	}
}

func (o *Owner) find(group int) *hold {
	o.mu.Lock()
	defer o.mu.Unlock()
	if h := o.platform.findAdopted(group); h != nil {
		return h
	}
	for c := range o.children {
		if c.Group() == group {
			return c.hold
		}
	}
	return nil
}
