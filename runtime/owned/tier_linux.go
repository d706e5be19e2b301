package owned

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// choose takes the highest tier that works and is allowed.
func (p *platform) choose(o *Owner) {
	p.tier = Portable
	if o.config.limit == Portable {
		p.why = []string{"marks: not wanted (AtMost)", "cgroup: not wanted (AtMost)"}
		return
	}
	if err := probeMarks(); err != nil {
		p.why = []string{fmt.Sprintf("marks: %v", err), "cgroup: needs what marks need"}
		return
	}
	p.tier = Marks
	p.marks.Cookie = o.cookie
	p.marks.Locks, p.maxLocks = chooseLocks()
	if o.config.limit == Marks {
		p.why = []string{"cgroup: not wanted (AtMost)"}
		return
	}
	var err error
	if p.leaf, err = makeLeaf(o.cookie); err != nil {
		p.why = []string{fmt.Sprintf("cgroup: %v", err)}
		return
	}
	p.tier = Cgroup
}

// probeMarks checks that marks can be read back.
func probeMarks() error {
	if procid.Self().IsZero() {
		return fmt.Errorf("/proc does not show this process")
	}
	if _, err := os.ReadFile("/proc/self/environ"); err != nil {
		return fmt.Errorf("reading the environment of a process: %w", err)
	}
	return nil
}

// chooseLocks returns a random limit on file locks for descendants to be known
// by, which no program sets by chance. Linux has not enforced RLIMIT_LOCKS
// since 2.4.25 (getrlimit(2)). Where the hard limit is not above them all, it
// returns 0: no mark. The hard limit is returned too, for it is to stay.
func chooseLocks() (locks, hard uint64) {
	const low, high = 1 << 40, 1 << 62
	var bits [8]byte
	rand.Read(bits[:])
	locks = low + binary.NativeEndian.Uint64(bits[:])%(high-low)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_LOCKS, &limit); err != nil || limit.Max <= high {
		return 0, 0
	}
	return locks, limit.Max
}

// impress sets the limit by which a process and its future descendants are
// known. A hard limit below it makes the call fail, and leaves no mark.
func (p *platform) impress(pid int) {
	if p.marks.Locks != 0 {
		limit := unix.Rlimit{Cur: p.marks.Locks, Max: p.maxLocks}
		unix.Prlimit(pid, unix.RLIMIT_LOCKS, &limit, nil)
	}
}

// unimpress undoes impress.
func (p *platform) unimpress(pid int) {
	var own unix.Rlimit
	if p.marks.Locks == 0 || unix.Getrlimit(unix.RLIMIT_LOCKS, &own) != nil {
		return
	}
	unix.Prlimit(pid, unix.RLIMIT_LOCKS, &own, nil)
}
