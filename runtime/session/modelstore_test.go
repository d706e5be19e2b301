package session_test

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/holdfast-go/holdfast/runtime/procid"
	"github.com/holdfast-go/holdfast/runtime/schedule"
)

// memory is a store in memory, which fails on demand, and of which a process that
// was killed has a handle that does nothing any more.
type memory struct {
	mu    sync.Mutex
	saved map[string]schedule.Document
	err   error
	epoch int
}

var errKilled = errors.New("this process is dead")

func newMemory() *memory {
	return &memory{saved: map[string]schedule.Document{}}
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// kill makes all handles void, and their owner a process of an earlier boot.
func (m *memory) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	for _, document := range m.saved {
		for _, s := range document.Schedules {
			if s.Claim != nil {
				s.Claim.Owner = procid.Identity{Boot: "an-earlier-boot", PID: 1, Start: 1}
			}
		}
	}
}

func (m *memory) handle() schedule.Store {
	m.mu.Lock()
	defer m.mu.Unlock()
	return memoryHandle{m, m.epoch}
}

func (m *memory) document(id string) (schedule.Document, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	document, ok := m.saved[id]
	return clone(document), ok
}

type memoryHandle struct {
	*memory
	epoch int
}

func (h memoryHandle) alive() error {
	if h.epoch != h.memory.epoch {
		return errKilled
	}
	return h.err
}

func (h memoryHandle) Update(_ context.Context, id string, change func(*schedule.Document) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.alive(); err != nil {
		return err
	}
	document := clone(h.saved[id])
	document.Session = id
	if err := change(&document); err != nil {
		return err
	}
	h.saved[id] = clone(document)
	return nil
}

func (h memoryHandle) Read(_ context.Context, id string) (schedule.Document, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.alive(); err != nil {
		return schedule.Document{}, err
	}
	document, ok := h.saved[id]
	if !ok {
		return schedule.Document{}, schedule.ErrNotFound
	}
	return clone(document), nil
}

func (h memoryHandle) Sessions(context.Context) ([]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for id := range maps.Keys(h.saved) {
		all = append(all, id)
	}
	return all, h.alive()
}

func clone(d schedule.Document) schedule.Document {
	copied := d
	copied.Schedules = make(map[schedule.Kind]*schedule.Schedule)
	for kind, s := range d.Schedules {
		one := *s
		if s.Claim != nil {
			claim := *s.Claim
			one.Claim = &claim
		}
		copied.Schedules[kind] = &one
	}
	return copied
}
