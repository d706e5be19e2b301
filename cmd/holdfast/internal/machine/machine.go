// Package machine takes down what runs on this machine and which ports it
// listens on.
package machine

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A Snapshot is what was seen at one time.
type Snapshot struct {
	Time      time.Time `json:"time"`
	Processes []Process `json:"processes"`
	// Hidden has the ports of which the process was not to be seen: another
	// user's, or one of another PID namespace.
	Hidden []Port `json:"hidden,omitempty"`
	// Blind says what could not be looked at on this system.
	Blind []string `json:"blind,omitempty"`
}

// A Process is one that ran.
type Process struct {
	procid.Info
	Command   []string `json:"command,omitempty"`
	Listening []Port   `json:"listening,omitempty"`
}

// String returns the PID and what the process is.
func (p Process) String() string {
	if line := CommandLine(p.Command); line != "" {
		return fmt.Sprintf("%d  %s", p.PID, line)
	}
	return fmt.Sprintf("%d  [%s]", p.PID, Printable(p.Name))
}

// A Port is an address that a process accepts TCP connections on.
type Port = netip.AddrPort

// Take looks at the machine. It waits for nothing, and takes about 100 µs a
// process and its open files.
func Take() (Snapshot, error) {
	infos, err := procid.All()
	if err != nil {
		return Snapshot{}, fmt.Errorf("listing processes: %w", err)
	}
	s := Snapshot{Time: time.Now().Round(0)}
	listening, err := listeners()
	if err != nil {
		s.Blind = append(s.Blind, fmt.Sprintf("listening ports: %v", err))
	}
	for _, info := range infos {
		if info.State != procid.Alive {
			continue
		}
		p := Process{Info: info, Command: commandOf(info.PID)}
		for _, socket := range socketsOf(info.PID) {
			if l := listening[socket]; l != nil {
				l.found = true
				p.Listening = append(p.Listening, l.port)
			}
		}
		s.Processes = append(s.Processes, p)
	}
	for _, l := range listening {
		if !l.found {
			s.Hidden = append(s.Hidden, l.port)
		}
	}
	slices.SortFunc(s.Hidden, Port.Compare)
	return s, nil
}

// A listener is a socket that accepts connections.
type listener struct {
	port  Port
	found bool // the process that holds it
}
