//go:build unix && !linux

package census

import (
	"os"
	"syscall"
)

func process(pid int) (Process, error) {
	all, err := processes()
	if err != nil {
		return Process{}, err
	}
	for _, p := range all {
		if p.PID == pid {
			return p, nil
		}
	}
	return Process{}, os.ErrProcessDone
}

// Signal signals the surveyed process if it still has its number. It reports
// whether it signalled.
func Signal(p Process, signals ...syscall.Signal) bool {
	return Same(p) && send(p.PID, signals)
}
