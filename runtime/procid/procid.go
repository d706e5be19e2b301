package procid

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// An Identity stands for one process, for ever: no other process on this
// machine has it or will have it. It is comparable, and the zero Identity
// stands for nobody.
type Identity struct {
	// Boot names the boot of the system that the process belongs to, and on
	// Linux the PID namespace in which PID is its number, if that is not the
	// initial one. It holds no colon, slash, dot or space.
	Boot string `json:"boot"`
	// PID is the process ID.
	PID int `json:"pid"`
	// Start is when the process started, in the unit of the system: clock
	// ticks after the boot on Linux, microseconds after 1970 on macOS, 100 ns
	// after 1601 on Windows. Compare it for equality only.
	Start uint64 `json:"start"`
}

// Self returns the identity of this process, which is read once. It is the
// zero Identity where [Of] has no support. It is safe for concurrent use.
func Self() Identity {
	return self()
}

var self = sync.OnceValue(func() Identity {
	id, err := Of(os.Getpid())
	if err != nil {
		return Identity{}
	}
	return id
})

// Of returns the identity of the process that has the number pid now, be it
// alive or a zombie. The error wraps [os.ErrProcessDone] if there is none, and
// [errors.ErrUnsupported] if the system does not say. Of does not wait, and it
// is safe for concurrent use.
//
// The caller has to know that pid is still the process it means: its own child
// that it has not waited for, for instance.
func Of(pid int) (Identity, error) {
	id, _, err := look(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("identifying process %d: %w", pid, err)
	}
	return id, nil
}

// IsZero reports whether the identity is that of nobody.
func (id Identity) IsZero() bool {
	return id == Identity{}
}

// String returns "boot:pid:start", which [Parse] reads.
func (id Identity) String() string {
	return id.Boot + ":" + strconv.Itoa(id.PID) + ":" + strconv.FormatUint(id.Start, 10)
}

// maxBoot is the most bytes of a Boot that Parse takes; Linux needs 36 for the
// boot and 11 for the namespace.
const maxBoot = 64

// Parse reads what [Identity.String] wrote. It takes nothing else: no sign, no
// leading zero, no space. There is no text for the zero Identity.
func Parse(s string) (Identity, error) {
	id, err := parse(s)
	if err != nil {
		return Identity{}, fmt.Errorf("parsing the process identity %.100q: %w", s, err)
	}
	return id, nil
}

func parse(s string) (Identity, error) {
	boot, rest, _ := strings.Cut(s, ":")
	pidText, startText, ok := strings.Cut(rest, ":")
	if !ok {
		return Identity{}, errors.New("want boot:pid:start")
	}
	if err := validBoot(boot); err != nil {
		return Identity{}, err
	}
	pid, err := strconv.ParseUint(pidText, 10, 31)
	if err != nil || pid == 0 {
		return Identity{}, errors.New("the process ID is no positive number of 31 bits")
	}
	start, err := strconv.ParseUint(startText, 10, 64)
	if err != nil {
		return Identity{}, errors.New("the start time is no number of 64 bits")
	}
	id := Identity{Boot: boot, PID: int(pid), Start: start}
	if id.String() != s {
		return Identity{}, errors.New("the numbers are not in their shortest form")
	}
	return id, nil
}

func validBoot(boot string) error {
	if boot == "" || len(boot) > maxBoot {
		return fmt.Errorf("the boot is not 1 to %d bytes long", maxBoot)
	}
	for _, r := range boot {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		digit := r >= '0' && r <= '9'
		if !letter && !digit && r != '-' && r != '_' {
			return fmt.Errorf("the boot holds %q", r)
		}
	}
	return nil
}
