package procid

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// stateZombie is SZOMB of <sys/proc.h>.
const stateZombie = 5

// look returns who has the number pid now and how it stands with it.
func look(pid int) (Identity, State, error) {
	if pid <= 0 {
		return Identity{}, CannotTell, os.ErrProcessDone
	}
	here, err := boot()
	if err != nil {
		return Identity{}, CannotTell, err
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return Identity{}, CannotTell, confirmDone(pid, err)
	}
	state := Alive
	if info.Proc.P_stat == stateZombie {
		state = Zombie
	}
	return Identity{Boot: here, PID: pid, Start: microseconds(info.Proc.P_starttime)}, state, nil
}

// confirmDone asks the kernel whether the process is really not there: sysctl
// answers with nothing then, which x/sys reports as an I/O error.
func confirmDone(pid int, err error) error {
	if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
		return os.ErrProcessDone
	}
	return fmt.Errorf("reading kern.proc.pid: %w", err)
}

func microseconds(t unix.Timeval) uint64 {
	return uint64(t.Sec)*1_000_000 + uint64(t.Usec)
}

// boot returns the UUID that the kernel makes at each boot.
var boot = sync.OnceValues(func() (string, error) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return "", fmt.Errorf("reading kern.bootsessionuuid: %w", err)
	}
	if err := validBoot(id); err != nil {
		return "", fmt.Errorf("reading kern.bootsessionuuid: %w", err)
	}
	return id, nil
})

func compareBoots(other string) bootMatch {
	here, err := boot()
	switch {
	case err != nil:
		return unknownBoot
	case other == here:
		return sameBoot
	}
	return otherBoot
}
