//go:build unix

package census

import "syscall"

// SignalGroup signals the group that p proves to be owned, if p is still that
// process and still in the group. It reports whether it signalled.
func SignalGroup(p Process, signals ...syscall.Signal) bool {
	return Same(p) && send(-p.Group, signals)
}

func send(target int, signals []syscall.Signal) bool {
	for _, signal := range signals {
		if syscall.Kill(target, signal) != nil {
			return false
		}
	}
	return true
}

// Same reports whether the surveyed process still has its number and is still
// in its group.
func Same(p Process) bool {
	now, err := process(p.PID)
	return err == nil && now.Start == p.Start && now.Group == p.Group
}

// Look returns what is known of one process now. The error wraps
// os.ErrNotExist or os.ErrProcessDone if there is none.
func Look(pid int) (Process, error) { return process(pid) }

// InGroup returns the processes of a group, dead ones too.
func InGroup(group int) []Process {
	all, _ := processes()
	var members []Process
	for _, process := range all {
		if process.Group == group {
			members = append(members, process)
		}
	}
	return members
}
