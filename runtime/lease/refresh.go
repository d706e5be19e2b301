package lease

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// Of returns the leases of the session as of the last [Directory.Refresh], with
// what this process has acquired and released since. It neither waits nor
// probes.
func (d *Directory) Of(session string) []Lease {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Clone(d.leases[session])
}

// All returns the leases of all sessions, as [Directory.Of] does, ordered by
// session.
func (d *Directory) All() []Lease {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var all []Lease
	for _, leases := range d.leases {
		all = append(all, leases...)
	}
	slices.SortStableFunc(all, func(a, b Lease) int { return strings.Compare(a.Session, b.Session) })
	return all
}

// Refresh looks at the directory, and whether the holders of the leases in it
// still live: once for each other process, in one batch. It removes the leases
// of dead ones.
//
// It waits for the disk and the probes (microseconds each on Linux, some
// milliseconds on Windows), so it belongs on a cadence and not on an event
// loop. While another call of this process is at the disk, it waits for that,
// until ctx is done. It returns the error of ctx also if that is done before
// the probes. After
// an error in removing a dead lease everything else is up to date; after any
// other error all is as it was.
func (d *Directory) Refresh(ctx context.Context) error {
	if err := d.lockDisk(ctx); err != nil {
		return fmt.Errorf("refreshing the leases: %w", err)
	}
	defer d.unlockDisk()
	found, err := d.list()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("refreshing the leases: %w", err)
	}
	living, err := d.bury(found)
	d.replace(living)
	if err != nil {
		return fmt.Errorf("refreshing the leases: %w", err)
	}
	return nil
}

func (d *Directory) replace(living []Lease) {
	leases := make(map[string][]Lease)
	for _, l := range living {
		leases[l.Session] = append(leases[l.Session], l)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leases = leases
}

// list returns the leases whose files are in the directory, without states. It
// leaves files with other names alone.
func (d *Directory) list() ([]Lease, error) {
	directory, err := os.Open(d.path)
	if err != nil {
		return nil, err
	}
	defer directory.Close()
	names, err := directory.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var leases []Lease
	for _, name := range names {
		if l, ok := parseFileName(name); ok {
			leases = append(leases, l)
		}
	}
	return leases, nil
}

// bury returns the leases that live, with their states, and removes the files
// of the others. The name of a file has the identity of its process, which no
// other process ever has: what is removed is what was judged.
func (d *Directory) bury(leases []Lease) ([]Lease, error) {
	states := d.states(leases)
	var living []Lease
	var failures []error
	for _, l := range leases {
		l.State = states[l.Holder]
		if l.State != procid.Gone && l.State != procid.Zombie {
			living = append(living, l)
			continue
		}
		if err := os.Remove(d.file(l)); err != nil && !errors.Is(err, os.ErrNotExist) {
			failures = append(failures, err)
		}
	}
	return living, errors.Join(failures...)
}

// states returns how it stands with the holders, by one probe of all others.
// This process lives, as it asks; its number with another start time is not it.
func (d *Directory) states(leases []Lease) map[procid.Identity]procid.State {
	states := map[procid.Identity]procid.State{d.self: procid.Alive}
	var others []procid.Identity
	for _, l := range leases {
		if _, known := states[l.Holder]; !known {
			states[l.Holder] = procid.CannotTell
			others = append(others, l.Holder)
		}
	}
	if len(others) == 0 {
		return states
	}
	for i, state := range d.probe(others) {
		states[others[i]] = state
	}
	return states
}

// probe returns the state of each process.
func probe(processes []procid.Identity) []procid.State {
	states := make([]procid.State, len(processes))
	for i, process := range processes {
		states[i] = process.State()
	}
	return states
}
