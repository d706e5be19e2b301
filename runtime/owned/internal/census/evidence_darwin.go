package census

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SupervisorMark is what the environment of every supervisor begins its script
// with.
const SupervisorMark = "SUPERVISE=: holdfast supervisor"

// Values of p_stat in the kernel's sys/proc.h: SSTOP and SZOMB.
const (
	stopped = 4
	zombie  = 5
)

func processes() ([]Process, error) {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	all := make([]Process, 0, len(infos))
	for _, info := range infos {
		started := info.Proc.P_starttime
		p := Process{
			PID:    int(info.Proc.P_pid),
			State:  'S',
			Parent: int(info.Eproc.Ppid),
			Group:  int(info.Eproc.Pgid),
			Start:  uint64(started.Sec)*1e6 + uint64(started.Usec),
		}
		switch info.Proc.P_stat {
		case stopped:
			p.State = 'T'
		case zombie:
			p.State = 'Z'
		}
		all = append(all, p)
	}
	return all, nil
}

type evidence struct {
	marked, kept map[int]bool
	self         int
}

func (e evidence) spared(p Process) bool {
	return p.PID <= 1 || p.PID == e.self
}

// collect has nothing to collect: macOS hides environments from sysctl(3) for
// hardened programs, and has no other mark that a library can set.
func collect(Claim, []Process) evidence {
	return evidence{self: os.Getpid()}
}

// KeptMark is in the environment of what was started to outlive its owner.
const KeptMark = "HOLDFAST_KEPT="

// RemoveLeaf does nothing: there are no cgroups.
func RemoveLeaf(string) {}
