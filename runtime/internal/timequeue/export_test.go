package timequeue

// Capacity returns for how many elements there is room.
func (q *Queue[E]) Capacity() int {
	return cap(q.slots)
}
