package procid

import (
	"errors"
	"fmt"
	"os"
)

// A State says how it stands with a process.
type State int

const (
	// CannotTell is the state of a process that could not be looked at. Treat
	// it as somebody else's: neither signal it nor forget it.
	CannotTell State = iota
	// Alive is a process that runs, sleeps or is stopped.
	Alive
	// Zombie is a process that has ended and waits for its parent to ask for
	// its exit status. It holds its number and its place in its group, and
	// nothing else: no memory, no port, no file.
	Zombie
	// Gone is a process that there is no more. Its number may be another's.
	Gone
)

// String returns the state in words.
func (s State) String() string {
	switch s {
	case CannotTell:
		return "cannot tell"
	case Alive:
		return "alive"
	case Zombie:
		return "zombie"
	case Gone:
		return "gone"
	}
	return fmt.Sprintf("procid.State(%d)", int(s))
}

// MarshalText returns the state in words, as in JSON.
func (s State) MarshalText() ([]byte, error) {
	return []byte(s.String()), nil
}

// UnmarshalText reads what [State.MarshalText] wrote.
func (s *State) UnmarshalText(text []byte) error {
	for state := CannotTell; state <= Gone; state++ {
		if state.String() == string(text) {
			*s = state
			return nil
		}
	}
	return fmt.Errorf("there is no process state %.100q", text)
}

// State looks whether the process is there. A process that has its number but
// is not the one, and every process of an earlier boot, is [Gone]. The zero
// Identity is [CannotTell]. State does not wait, costs a few microseconds, and
// is safe for concurrent use.
func (id Identity) State() State {
	if id.PID <= 0 || id.Boot == "" {
		return CannotTell
	}
	switch compareBoots(id.Boot) {
	case otherBoot:
		return Gone
	case sameBoot:
		return stateOf(id)
	}
	return CannotTell
}

func stateOf(id Identity) State {
	now, state, err := look(id.PID)
	switch {
	case errors.Is(err, os.ErrProcessDone):
		return Gone
	case err != nil:
		return CannotTell
	case now != id:
		return Gone
	}
	return state
}

// A bootMatch says how the boot of an identity relates to this process's.
type bootMatch int

const (
	unknownBoot bootMatch = iota // the numbers of the identity say nothing here
	sameBoot                     // its numbers mean the same here
	otherBoot                    // nothing of that boot runs any more
)
