package owned

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Recover returns the kept processes of the [Default] owner's predecessors.
// See [Owner.Recover].
func Recover(ctx context.Context) ([]*Kept, error) { return Default().Recover(ctx) }

// Recover returns the processes that earlier runs of this program have kept
// (see [Owner.Keep]) and that are still alive: the very ones, not what has
// their number now. It takes them over, so that "holdfast ps" shows them under
// this process, and forgets dead owners that left nothing.
//
// An earlier run is one whose program had the same file name. Kept processes
// of one that still runs are its own. Recover reads the files of the ledger and
// waits for nobody; between two files it looks whether ctx has ended, and
// returns its error with what it has found.
func (o *Owner) Recover(ctx context.Context) ([]*Kept, error) {
	if err := o.prepareToKeep(); err != nil {
		return nil, fmt.Errorf("owned: recovering: %w", err)
	}
	dir := filepath.Dir(o.journal.ledger.Path())
	records, err := ledger.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("owned: recovering: %w", err)
	}
	var recovered []*Kept
	known := map[procid.Identity]bool{}
	for _, record := range records {
		if err := ctx.Err(); err != nil {
			return recovered, err
		}
		if !o.succeeds(record) {
			continue
		}
		for _, entry := range record.Live {
			if entry.Event != ledger.EventKeep || known[entry.Process] || entry.Process.State() != procid.Alive {
				continue
			}
			known[entry.Process] = true
			recovered = append(recovered, o.adopt(entry, record.Owner))
		}
		if record.Dead() {
			ledger.Remove(dir, record.Owner) // It refuses if somebody in it is alive.
		}
	}
	return recovered, nil
}

// succeeds says whether this process is the next run of the record's owner, or
// the owner itself after an exec.
func (o *Owner) succeeds(record ledger.OwnerRecord) bool {
	if record.Owner == procid.Self() {
		return true
	}
	return record.Dead() && len(record.Opened.Command) > 0 &&
		filepath.Base(record.Opened.Command[0]) == filepath.Base(os.Args[0])
}

func (o *Owner) adopt(entry ledger.Entry, from procid.Identity) *Kept {
	k := &Kept{owner: o, entry: entry, grace: o.config.grace}
	if from != procid.Self() {
		o.journal.note(entry)
	}
	if wait := waitIfChild(entry.Process); wait != nil {
		k.done = make(chan struct{})
		go k.reap(wait)
	}
	return k
}
