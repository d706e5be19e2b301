package timequeue_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/holdfast-go/holdfast/runtime/internal/timequeue"
)

type element struct {
	id    int
	place timequeue.Place
}

func (e *element) QueuePlace() *timequeue.Place { return &e.place }

// The reference is a map that is searched from end to end.
func TestTheQueueIsASortedMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elements := make([]*element, 40)
		for i := range elements {
			elements[i] = &element{id: i}
		}
		var queue timequeue.Queue[*element]
		reference := map[int]int64{}
		pick := rapid.IntRange(0, len(elements)-1)
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				e, due := elements[pick.Draw(t, "element")], rapid.Int64Range(0, 30).Draw(t, "due")
				queue.Set(e, due)
				reference[e.id] = due
			},
			"remove": func(t *rapid.T) {
				e := elements[pick.Draw(t, "element")]
				_, want := reference[e.id]
				delete(reference, e.id)
				if got := queue.Remove(e); got != want {
					t.Fatalf("Remove(%d) = %v, want %v", e.id, got, want)
				}
			},
			"pop": func(t *rapid.T) {
				now := rapid.Int64Range(0, 30).Draw(t, "now")
				first := first(reference)
				e, ok := queue.Pop(now)
				if ok != (first <= now) {
					t.Fatalf("Pop(%d) = %v, and the first is due at %d", now, ok, first)
				}
				if ok && reference[e.id] != first {
					t.Fatalf("Pop took one that is due at %d before one at %d", reference[e.id], first)
				}
				if ok {
					delete(reference, e.id)
				}
			},
			"": func(t *rapid.T) { compare(t, &queue, elements, reference) },
		})
	})
}

func compare(t *rapid.T, queue *timequeue.Queue[*element], elements []*element, reference map[int]int64) {
	if queue.Len() != len(reference) {
		t.Fatalf("the queue has %d elements, want %d", queue.Len(), len(reference))
	}
	if due, ok := queue.First(); ok && due != first(reference) {
		t.Fatalf("First = %d, want %d", due, first(reference))
	}
	for _, e := range elements {
		due, ok := queue.Due(e)
		want, in := reference[e.id]
		if ok != in || due != want {
			t.Fatalf("Due(%d) = %d, %v, want %d, %v", e.id, due, ok, want, in)
		}
	}
}

func first(reference map[int]int64) int64 {
	least := int64(math.MaxInt64)
	for _, due := range reference {
		least = min(least, due)
	}
	return least
}

func TestAPeakIsGivenBack(t *testing.T) {
	var queue timequeue.Queue[*element]
	const peak = 100_000
	for i := range peak {
		queue.Set(&element{id: i}, int64(peak-i))
	}
	for range peak {
		if _, ok := queue.Pop(peak); !ok {
			t.Fatal("an element is missing")
		}
	}
	if allocs := testing.AllocsPerRun(100, func() {
		e := &element{}
		queue.Set(e, 1)
		queue.Remove(e)
	}); allocs > 1 {
		t.Errorf("an idle queue allocates %v times for an element", allocs)
	}
	if got := queue.Capacity(); got > 4096 {
		t.Errorf("the empty queue keeps room for %d elements", got)
	}
}
