package loop

// A task is a callback, where it came from and when it was due on the loop's
// clock.
type task struct {
	callback func()
	origin   uintptr
	due      int64
}

// A queue is a growing ring, first in, first out.
type queue = ring[task]

// A ring is a queue in a slice whose length is a power of two.
type ring[T any] struct {
	items []T
	first int
	count int
}

// smallest is the least capacity of a ring that holds anything.
const smallest = 16

func (r *ring[T]) len() int {
	return r.count
}

func (r *ring[T]) push(item T) {
	if r.count == len(r.items) {
		r.resize(max(smallest, 2*r.count))
	}
	r.items[(r.first+r.count)&(len(r.items)-1)] = item
	r.count++
}

// pop takes the first item; there must be one. What a burst needed is given
// back once the ring is an eighth full.
func (r *ring[T]) pop() T {
	var none T
	item := r.items[r.first]
	r.items[r.first] = none
	r.first = (r.first + 1) & (len(r.items) - 1)
	r.count--
	if len(r.items) > 64*smallest && r.count < len(r.items)/8 {
		r.resize(len(r.items) / 2)
	}
	return item
}

func (r *ring[T]) clear() {
	*r = ring[T]{}
}

func (r *ring[T]) resize(capacity int) {
	items := make([]T, capacity)
	head := copy(items, r.items[r.first:min(r.first+r.count, len(r.items))])
	copy(items[head:], r.items[:r.count-head])
	r.items, r.first = items, 0
}
