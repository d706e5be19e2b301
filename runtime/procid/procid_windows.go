package procid

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// anyBoot is the boot of every identity: Windows keeps no name for a boot, and
// needs none, because its start times are absolute and 100 ns apart.
const anyBoot = "windows"

// look returns who has the number pid now and how it stands with it. There are
// no zombies: a process that has ended but of which somebody holds a handle
// counts as done.
func look(pid int) (Identity, State, error) {
	if pid <= 0 {
		return Identity{}, CannotTell, os.ErrProcessDone
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return Identity{}, CannotTell, os.ErrProcessDone
	}
	if err != nil {
		return Identity{}, CannotTell, fmt.Errorf("opening the process: %w", err)
	}
	defer windows.CloseHandle(process)
	event, err := windows.WaitForSingleObject(process, 0)
	if err != nil {
		return Identity{}, CannotTell, fmt.Errorf("asking whether the process has ended: %w", err)
	}
	if event == windows.WAIT_OBJECT_0 {
		return Identity{}, CannotTell, os.ErrProcessDone
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return Identity{}, CannotTell, fmt.Errorf("asking when the process started: %w", err)
	}
	start := uint64(created.HighDateTime)<<32 | uint64(created.LowDateTime)
	return Identity{Boot: anyBoot, PID: pid, Start: start}, Alive, nil
}

func compareBoots(other string) bootMatch {
	if other == anyBoot {
		return sameBoot
	}
	return unknownBoot
}
