package census

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
)

func process(pid int) (Process, error) { return procfs.ReadStat(pid) }

// Signal signals the surveyed process and no other, even if its number is
// given to another one meanwhile. It reports whether it signalled.
func Signal(p Process, signals ...syscall.Signal) bool {
	pidfd, err := unix.PidfdOpen(p.PID, 0)
	if err != nil { // No such process, or a kernel before 5.3.
		return Same(p) && send(p.PID, signals)
	}
	defer unix.Close(pidfd)
	if !Same(p) {
		return false
	}
	for _, signal := range signals {
		if unix.PidfdSendSignal(pidfd, signal, nil, 0) != nil {
			return false
		}
	}
	return true
}
