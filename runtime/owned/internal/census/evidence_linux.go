package census

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

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
		case claim.Locks != 0 && locksOf(p.PID) == claim.Locks:
			e.marked[p.PID] = true
		}
	}
	for _, pid := range LeafMembers(claim.Leaf) {
		e.marked[pid] = true
	}
	return e
}

// locksOf returns the soft limit on file locks of a process, 0 if it is hidden.
// prlimit(2) needs permission over the process; /proc/PID/limits does not, and
// still tells of programs that changed their user or group.
func locksOf(pid int) uint64 {
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit); err == nil {
		return limit.Cur
	}
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
	_, rest, found := bytes.Cut(text, []byte("\nMax file locks"))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0
	}
	locks, _ := strconv.ParseUint(string(fields[0]), 10, 64)
	return locks
}

// LeafMembers returns the processes in a cgroup and two levels below it.
func LeafMembers(leaf string) []int {
	var pids []int
	for _, directory := range leaves(leaf) {
		text, _ := os.ReadFile(filepath.Join(directory, "cgroup.procs"))
		for _, field := range bytes.Fields(text) {
			if pid, err := strconv.Atoi(string(field)); err == nil && pid > 1 {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// RemoveLeaf removes an empty cgroup and what is below it. It leaves one that
// still has processes.
func RemoveLeaf(leaf string) {
	directories := leaves(leaf)
	slices.Reverse(directories) // What is below goes first.
	for _, directory := range directories {
		unix.Rmdir(directory)
	}
}

// leaves returns a cgroup and those up to two levels below it, parents first.
func leaves(leaf string) []string {
	if leaf == "" {
		return nil
	}
	all := []string{leaf}
	for level, first := 0, 0; level < 2; level++ {
		last := len(all)
		for _, directory := range all[first:last] {
			entries, _ := os.ReadDir(directory)
			for _, entry := range entries {
				if entry.IsDir() {
					all = append(all, filepath.Join(directory, entry.Name()))
				}
			}
		}
		first = last
	}
	return all
}
