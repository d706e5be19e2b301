package session

import "github.com/holdfast-go/holdfast/runtime/internal/timequeue"

// A record is what the registry knows of one session, guarded by its lock. There
// are as many as there are sessions, so its size matters: see
// TestARecordIsSmall.
//
// Times are nanoseconds of awake time (see awake).
type record struct {
	id string

	touched  int64 // the last sign of life of a client or a turn
	since    int64 // the later of when the client, the turn and the delegation ended
	activity int64 // the last sign of life of the turn
	look     int64 // when to look again at one that was spared or is polled

	holds [holdKinds]uint16
	place timequeue.Place // in the queue of what is due
	rank  timequeue.Place // in the queue of what the cap may evict

	client  uint32 // which client is the newest, 0 before the first: the late call of an older one is void
	turn    uint32 // which turn is the newest
	changes uint32 // any change counts: a decision that was prepared before it is void

	polls    uint8
	attached bool // a client is connected
	running  bool // a turn is
	stopped  bool // the turn was told to end by Interrupt; ends with the turn
	latched  bool // the client was gone for too long and the turn was interrupted; for ever
	pinned   bool // the last answer was: the only engine of a live schedule
	retired  bool // closed; only its tear-down is left
}

func (s *record) QueuePlace() *timequeue.Place {
	return &s.place
}

// A candidate is a record in the queue of what the cap may evict, in which the
// due time is when its client or turn was seen last.
type candidate record

func (c *candidate) QueuePlace() *timequeue.Place {
	return &c.rank
}

// held reports whether there is a hold of any kind.
func (s *record) held() bool {
	return s.holds != [holdKinds]uint16{}
}

// A HoldKind is work that belongs to a session while no turn runs.
type HoldKind uint8

// The kinds of holds. A delegation spares a session from all reapers, because
// its result could not be delivered. The others spare it from the TTL and the
// cap; a session whose client is gone beyond the grace is closed with them.
const (
	Delegation HoldKind = iota // work handed to somebody else who will answer
	QueuedPrompt
	AutoContinue // a turn that will begin by itself
	Question     // the session waits for somebody's answer
	Background   // a process of the session runs
	Starting     // the session is being built
	holdKinds
)

var holdNames = [holdKinds]string{
	"delegation", "queued prompt", "auto-continue", "question", "background process", "starting",
}

// String returns the kind's name.
func (k HoldKind) String() string {
	if k < holdKinds {
		return holdNames[k]
	}
	return "unknown hold"
}
