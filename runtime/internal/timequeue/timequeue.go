// Package timequeue keeps many elements in the order in which they are due, those
// that are due at once in no order. It is the one timer structure of the reapers,
// the schedules and the cadences: one timer of the system, set to the first
// element, serves them all.
//
// It is a heap of four children per node. To put in, move or take out an
// element costs O(log n); to ask what is due costs O(1) and grows with what is
// due only. Elements know their place, so one that is cancelled leaves nothing
// behind. An element costs 16 bytes in the heap and 4 in itself.
package timequeue

// A Place is where an element is in its queue. The zero Place is in none.
type Place struct {
	index int32 // plus one
}

// An Element can be in one queue at a time.
type Element interface {
	comparable
	// QueuePlace returns the element's own Place, always the same one.
	QueuePlace() *Place
}

// A Queue holds elements, the first due one first. The zero Queue is empty. It
// is not safe for concurrent use.
type Queue[E Element] struct {
	slots []slot[E]
}

type slot[E Element] struct {
	due     int64
	element E
}

// Len returns how many elements there are.
func (q *Queue[E]) Len() int {
	return len(q.slots)
}

// Set puts the element in, or moves it if it is in already.
func (q *Queue[E]) Set(element E, due int64) {
	place := element.QueuePlace()
	if place.index == 0 {
		q.slots = append(q.slots, slot[E]{due, element})
		q.up(len(q.slots)-1, slot[E]{due, element})
		return
	}
	q.fix(int(place.index)-1, slot[E]{due, element})
}

// Remove takes the element out and reports whether it was in.
func (q *Queue[E]) Remove(element E) bool {
	place := element.QueuePlace()
	if place.index == 0 {
		return false
	}
	hole := int(place.index) - 1
	place.index = 0
	last := len(q.slots) - 1
	moved := q.slots[last]
	q.slots[last] = slot[E]{}
	q.slots = q.slots[:last]
	if hole < last {
		q.fix(hole, moved)
	}
	q.shrink()
	return true
}

// First returns when the first element is due, and false if there is none.
func (q *Queue[E]) First() (due int64, ok bool) {
	if len(q.slots) == 0 {
		return 0, false
	}
	return q.slots[0].due, true
}

// Pop takes out the first element if it is due now.
func (q *Queue[E]) Pop(now int64) (element E, ok bool) {
	if len(q.slots) == 0 || q.slots[0].due > now {
		return element, false
	}
	element = q.slots[0].element
	q.Remove(element)
	return element, true
}

// Due returns when the element is due, and false if it is not in the queue.
func (q *Queue[E]) Due(element E) (due int64, ok bool) {
	place := element.QueuePlace()
	if place.index == 0 {
		return 0, false
	}
	return q.slots[place.index-1].due, true
}

const children = 4

// fix puts s where the slot at index was, and moves it to its place.
func (q *Queue[E]) fix(index int, s slot[E]) {
	if index > 0 && s.due < q.slots[(index-1)/children].due {
		q.up(index, s)
		return
	}
	q.down(index, s)
}

func (q *Queue[E]) up(index int, s slot[E]) {
	for index > 0 {
		parent := (index - 1) / children
		if q.slots[parent].due <= s.due {
			break
		}
		q.put(index, q.slots[parent])
		index = parent
	}
	q.put(index, s)
}

func (q *Queue[E]) down(index int, s slot[E]) {
	for {
		first := index*children + 1
		if first >= len(q.slots) {
			break
		}
		least := first
		for child := first + 1; child < min(first+children, len(q.slots)); child++ {
			if q.slots[child].due < q.slots[least].due {
				least = child
			}
		}
		if q.slots[least].due >= s.due {
			break
		}
		q.put(index, q.slots[least])
		index = least
	}
	q.put(index, s)
}

func (q *Queue[E]) put(index int, s slot[E]) {
	q.slots[index] = s
	s.element.QueuePlace().index = int32(index) + 1
}

// smallest is the capacity that is not worth giving back.
const smallest = 1024

// shrink gives memory back once three quarters of it are unused, so that a peak
// is not paid for ever.
func (q *Queue[E]) shrink() {
	if cap(q.slots) <= smallest || len(q.slots) > cap(q.slots)/4 {
		return
	}
	q.slots = append(make([]slot[E], 0, cap(q.slots)/2), q.slots...)
}
