package procid

import (
	"bytes"
	"fmt"

	"golang.org/x/sys/unix"
)

func all() ([]Info, error) {
	here, err := boot()
	if err != nil {
		return nil, err
	}
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var processes []Info
	for _, info := range infos {
		name, _, _ := bytes.Cut(info.Proc.P_comm[:], []byte{0})
		p := Info{
			Identity: Identity{Boot: here, PID: int(info.Proc.P_pid), Start: microseconds(info.Proc.P_starttime)},
			State:    Alive,
			Parent:   int(info.Eproc.Ppid),
			Group:    int(info.Eproc.Pgid),
			Name:     string(name),
		}
		if info.Proc.P_stat == stateZombie {
			p.State = Zombie
		}
		processes = append(processes, p)
	}
	return processes, nil
}
