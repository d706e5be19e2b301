package census

import (
	"bytes"
	"os"
	"strconv"

	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
)

// SupervisorMark is what the environment of every supervisor begins its script
// with. A survey leaves supervisors alone: they end by themselves, after what
// they look after.
const SupervisorMark = "SUPERVISE=: holdfast supervisor"

func processes() ([]Process, error) {
	pids, err := procfs.Processes()
	if err != nil {
		return nil, err
	}
	all := make([]Process, 0, len(pids))
	for _, pid := range pids {
		if stat, err := procfs.ReadStat(pid); err == nil {
			all = append(all, stat)
		}
	}
	return all, nil
}

// KeptMark is in the environment of what was started to outlive its owner. It
// tells a monitor, which every descendant would be handed to, and nobody else.
const KeptMark = "HOLDFAST_KEPT="

// HasSupervisor reports whether a supervisor is a child of a process.
func HasSupervisor(parent int) bool {
	all, _ := processes()
	found := collect(Claim{}, all)
	for _, process := range all {
		if process.Parent == parent && !process.Dead() && found.supervisor[process.PID] {
			return true
		}
	}
	return false
}

type evidence struct {
	marked     map[int]bool
	kept       map[int]bool
	supervisor map[int]bool
	self       int
}

func (e evidence) spared(p Process) bool {
	return p.PID <= 1 || p.PID == e.self || e.supervisor[p.PID]
}

func collect(claim Claim, all []Process) evidence {
	e := evidence{marked: map[int]bool{}, kept: map[int]bool{}, supervisor: map[int]bool{}, self: os.Getpid()}
	for _, p := range all {
		environ, _ := os.ReadFile("/proc/" + strconv.Itoa(p.PID) + "/environ")
		e.kept[p.PID] = bytes.Contains(environ, []byte(KeptMark))
		switch {
		case bytes.Contains(environ, []byte(SupervisorMark)):
			e.supervisor[p.PID] = true
		case claim.Cookie != "" && bytes.Contains(environ, []byte(claim.Cookie)):
			e.marked[p.PID] = true
		case claim.Locks != 0 && LocksOf(p.PID) == claim.Locks:
			e.marked[p.PID] = true
		}
	}
	for _, pid := range LeafMembers(claim.Leaf) {
		e.marked[pid] = true
	}
	return e
}
