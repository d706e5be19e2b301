//go:build unix

package owned

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"syscall"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

func (p *platform) own(o *Owner, groups []int) error {
	var problems []error
	for _, group := range groups {
		if o.find(group) != nil {
			continue
		}
		if err := p.adopt(o, group); err != nil {
			problems = append(problems, fmt.Errorf("owning process group %d: %w", group, err))
		}
	}
	return errors.Join(problems...)
}

func (p *platform) adopt(o *Owner, group int) error {
	if group <= 1 || group == syscall.Getpgrp() {
		return errors.New("it is not a group that may be signalled")
	}
	leader := openHandle(group)
	members := census.InGroup(group)
	if len(members) == 0 {
		leader.close()
		return os.ErrProcessDone
	}
	h := &hold{
		platform: p,
		id:       group,
		grace:    o.config.grace,
		leader:   leader,
		watched:  leader,
		known:    closed,
		reaped:   closed, // Somebody else waits for it, and does not tell.
	}
	proof := members[0]
	for _, member := range members {
		p.impress(member.PID)
		if member.PID == group {
			proof = member
		}
	}
	entry := ledger.Entry{Event: ledger.EventOwn, Process: identify(proof.PID), Group: group, Name: proof.Name, Cookie: o.cookie}
	h.ended = func(released bool) {
		p.forget(h)
		entry.Event = ledger.EventExit
		if released {
			entry.Event = ledger.EventRelease
		}
		o.journal.note(entry)
	}
	if proof.PID != group {
		h.watched = openHandle(proof.PID)
	}
	if err := h.register(census.Member{PID: proof.PID, Start: proof.Start}); err != nil {
		leader.close()
		return err
	}
	p.remember(h)
	o.journal.note(entry)
	go h.attend()
	return nil
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// disown undoes adopt.
func (p *platform) disown(group int) {
	h := p.findAdopted(group)
	if h == nil {
		return
	}
	for _, member := range census.InGroup(group) {
		p.unimpress(member.PID)
	}
	h.release()
	p.forget(h)
}

func (p *platform) remember(h *hold) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.adopted == nil {
		p.adopted = map[int]*hold{}
	}
	p.adopted[h.id] = h
}

func (p *platform) forget(h *hold) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.adopted[h.id] == h {
		delete(p.adopted, h.id)
	}
}

func (p *platform) findAdopted(group int) *hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.adopted[group]
}

// releaseIfEmpty lets the group go if it is empty. Otherwise attend does, when
// it is.
func (h *hold) releaseIfEmpty() {
	if h.empty() {
		h.release()
	}
}

func (p *platform) allAdopted() []*hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.adopted))
}
