package ledger

import (
	"cmp"
	"maps"
	"slices"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A book is what the rows of one file amount to: who has not ended.
type book struct {
	opened Entry
	marks  []Entry // of all EventOpen and EventMark that have some
	live   map[subject]line
	rows   int // all rows that were entered
}

// A subject is what a row is about: a process, or a group of which the leader
// was not known.
type subject struct {
	process procid.Identity
	group   int
}

// A line is an entry with its place in the file.
type line struct {
	number int
	entry  Entry
}

func (e Entry) subject() subject {
	if e.Process.IsZero() {
		return subject{group: e.Group}
	}
	return subject{process: e.Process}
}

// enter adds the next row. A later row of a living child takes the place of
// the earlier one.
func (b *book) enter(e Entry) {
	b.rows++
	switch e.Event {
	case EventOpen:
		if b.opened.Event == "" {
			b.opened = e
		}
		b.mark(e)
	case EventMark:
		b.mark(e)
	case EventStart, EventOwn, EventKeep:
		if b.live == nil {
			b.live = map[subject]line{}
		}
		b.live[e.subject()] = line{number: b.rows, entry: e}
	case EventRelease, EventExit:
		b.end(e)
	}
}

// end strikes out whom the row is about. A row that names a group alone ends
// everybody in it.
func (b *book) end(e Entry) {
	if !e.Process.IsZero() {
		delete(b.live, e.subject())
		return
	}
	maps.DeleteFunc(b.live, func(_ subject, l line) bool { return l.entry.Group == e.Group })
}

// mark adds the marks of a row, if it has any that are new.
func (b *book) mark(e Entry) {
	m := Entry{Time: e.Time, Event: EventMark, Cookie: e.Cookie, Locks: e.Locks, Leaf: e.Leaf}
	if m.Cookie == "" && m.Locks == 0 && m.Leaf == "" {
		return
	}
	known := slices.ContainsFunc(b.marks, func(k Entry) bool {
		return k.Cookie == m.Cookie && k.Locks == m.Locks && k.Leaf == m.Leaf
	})
	if !known {
		b.marks = append(b.marks, m)
	}
}

// kept returns the rows that still say something.
func (b *book) kept() []Entry {
	return slices.Concat([]Entry{b.opened}, b.marks, b.entries())
}

// entries returns who has not ended, in the order of the rows.
func (b *book) entries() []Entry {
	lines := slices.SortedFunc(maps.Values(b.live), func(x, y line) int { return cmp.Compare(x.number, y.number) })
	var entries []Entry
	for _, l := range lines {
		entries = append(entries, l.entry)
	}
	return entries
}

// idle is how many rows say nothing of the present.
func (b *book) idle() int {
	return b.rows - len(b.live)
}
