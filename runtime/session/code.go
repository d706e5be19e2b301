package session

import (
	"errors"
	"fmt"
)

// A Code is why a client is refused or its socket closed. It is in the range
// that WebSocket leaves to applications (RFC 6455, section 7.4.2).
type Code int

const (
	// Retired says that the session has ended: the client starts a new one.
	Retired Code = 4007
	// Interrupted says that the session's turn is being interrupted because
	// its client was gone for too long, and that the session will end. The
	// client tries again until it gets [Retired] or an [ErrUnknown].
	Interrupted Code = 4009
)

// String returns the code's name and number.
func (c Code) String() string {
	switch c {
	case Retired:
		return "4007 retired"
	case Interrupted:
		return "4009 interrupted"
	}
	return fmt.Sprintf("%d", int(c))
}

// A RefusedError says that a session takes no client and no turn any more.
type RefusedError struct {
	Session string
	Code    Code
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("session %q refuses: %v", e.Session, e.Code)
}

var (
	// ErrUnknown says that there is no such session, or no longer.
	ErrUnknown = errors.New("unknown session")
	// ErrExists says that there is such a session already.
	ErrExists = errors.New("the session exists already")
	// ErrBusy says that the session has a turn already.
	ErrBusy = errors.New("the session has a turn already")
	// ErrShutdown says that the registry was shut down.
	ErrShutdown = errors.New("the registry was shut down")
)

// A Reaper is who closes sessions.
type Reaper string

// The reapers, and who else closes a session.
const (
	NoReaper Reaper = ""
	// Orphan takes a session whose client did not come back within the grace.
	Orphan Reaper = "orphan"
	// TTL takes a session that was idle for too long.
	TTL Reaper = "ttl"
	// Cap takes the session that was left the longest ago when there are too
	// many.
	Cap Reaper = "cap"
	// Caller is [Registry.Close].
	Caller Reaper = "caller"
)
