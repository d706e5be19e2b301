package schedule

import (
	"context"
	"errors"
)

// A Document is what is kept of one session. It is one unit: a [Store] replaces
// it as a whole.
type Document struct {
	// Version is that of the format, 1.
	Version int    `json:"version"`
	Session string `json:"session"`
	// MovedTo is set while the document moves to another session. It holds
	// schedules for the case that the move is cut short; none of them is due.
	MovedTo string `json:"moved_to,omitempty"`
	// Schedules has one of each kind at most.
	Schedules map[Kind]*Schedule `json:"schedules"`
}

// version is the format that this package reads and writes.
const version = 1

// ErrNotFound says that nothing is kept of a session.
var ErrNotFound = errors.New("the session has no schedules")

// errUnchanged says that there is nothing to write.
var errUnchanged = errors.New("unchanged")

// A Store keeps documents. It is safe for concurrent use, also by several
// processes: that each tick is claimed once rests on Update alone.
//
// The engine calls a Store from goroutines that nobody waits for, except those
// that called a method which says so. A Store may be slow.
type Store interface {
	// Update calls change with the document of the session, and replaces the
	// document by what change made of it, as if nobody else did anything
	// meanwhile. A session without one has an empty document with its name. A
	// document without schedules and without MovedTo is removed. If change
	// returns an error, nothing is replaced and Update returns the error.
	Update(ctx context.Context, session string, change func(*Document) error) error
	// Read returns the document, or ErrNotFound.
	Read(ctx context.Context, session string) (Document, error)
	// Sessions returns the sessions that have a document.
	Sessions(ctx context.Context) ([]string, error)
}

func (d *Document) empty() bool {
	return len(d.Schedules) == 0 && d.MovedTo == ""
}
