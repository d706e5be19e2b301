package session

import "unsafe"

const RecordSize = unsafe.Sizeof(record{})

// LoseTimer takes a session out of the queue, which no path of the package does.
func (r *Registry) LoseTimer(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue.Remove(r.sessions[id])
}

// Fire does what the timer does, as if it had come now.
func (r *Registry) Fire() {
	r.fire()
}

// Queued returns how many sessions wait for something, and how many have to.
func (r *Registry) Queued() (queued, detached int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queue.Len(), r.detached
}

// Late returns how many hooks have overrun their bound and not returned.
func (r *Registry) Late() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.teardown.late
}
