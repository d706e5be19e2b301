package evidence

import (
	"context"
	"fmt"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Look returns all processes with their marks; of the cgroups it looks at
// those that the records name.
func Look(ctx context.Context, records []ledger.OwnerRecord) ([]Process, error) {
	infos, err := procid.All()
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	leaves := leavesOf(records)
	processes := make([]Process, 0, len(infos))
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := Process{Info: info, Leaves: leaves[info.PID]}
		p.Command, p.Environ, p.Locks = commandOf(info.PID), environOf(info.PID), locksOf(info.PID)
		// What was read may be a newcomer's with the same number.
		if info.State == procid.Alive && info.Identity.State() == procid.Gone {
			continue
		}
		processes = append(processes, p)
	}
	return processes, nil
}

// leavesOf returns the cgroups of owners by the processes in them.
func leavesOf(records []ledger.OwnerRecord) map[int][]string {
	leaves := map[int][]string{}
	for _, r := range records {
		for _, m := range r.Marks {
			for _, pid := range membersOf(m.Leaf) {
				leaves[pid] = append(leaves[pid], m.Leaf)
			}
		}
	}
	return leaves
}
