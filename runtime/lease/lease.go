package lease

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// RefreshPeriod is a good period for [Directory.Refresh]: how long a session
// may seem to be held by a process that has died.
const RefreshPeriod = 5 * time.Second

// A Mode says whom a lease admits beside it.
type Mode int

const (
	// Shared admits other shared leases.
	Shared Mode = iota
	// Exclusive admits no other lease of the session.
	Exclusive
)

// A Lease says that a process holds a session.
type Lease struct {
	Session string
	Holder  procid.Identity
	Mode    Mode
	// State is that of the holder: alive, or procid.CannotTell.
	State procid.State
}

// ErrHeld says that others hold the session. The error that wraps it is a
// [*HeldError].
var ErrHeld = errors.New("the session is held")

// A HeldError says who holds a session that was to be acquired.
type HeldError struct {
	Session string
	Holders []Lease // at least one
}

func (e *HeldError) Error() string {
	holders := make([]string, len(e.Holders))
	for i, holder := range e.Holders {
		holders[i] = fmt.Sprintf("process %d (%v)", holder.Holder.PID, holder.State)
	}
	return fmt.Sprintf("session %q is held by %s", e.Session, strings.Join(holders, ", "))
}

// Unwrap returns [ErrHeld].
func (e *HeldError) Unwrap() error { return ErrHeld }

// A Directory holds the leases of all processes that opened it. It is safe for
// concurrent use.
type Directory struct {
	path  string
	self  procid.Identity
	probe func([]procid.Identity) []procid.State

	disk chan struct{} // holds a value while somebody changes or lists the files

	mu     sync.RWMutex       // held without waiting for anything
	leases map[string][]Lease // by session, as of the last look at the files
}

// Open opens the directory at path, which it makes with mode 0700 if it is not
// there, and looks at the leases in it. The error wraps [errors.ErrUnsupported]
// on a system that does not tell processes apart.
func Open(path string) (*Directory, error) {
	return open(path, procid.Self(), probe)
}

func open(path string, self procid.Identity, probe func([]procid.Identity) []procid.State) (*Directory, error) {
	if self.IsZero() {
		return nil, fmt.Errorf("opening the leases: identifying this process: %w", errors.ErrUnsupported)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("opening the leases: %w", err)
	}
	d := &Directory{path: path, self: self, probe: probe, disk: make(chan struct{}, 1)}
	if err := d.Refresh(context.Background()); err != nil {
		return nil, err
	}
	return d, nil
}

// Acquire takes a lease of the session for this process. It returns a
// [*HeldError] if another process holds the session, or may hold it, in a way
// that the mode does not go with; and if this process holds it already, in
// whatever mode.
//
// A session is any text whose name on the disk is at most [MaxName] bytes long.
//
// Acquire waits for the disk and for a probe of those in its way. While another
// Acquire, Release or Refresh of this process does, it waits for that, until
// ctx is done. What it has begun it ends: a file system that hangs is waited for.
func (d *Directory) Acquire(ctx context.Context, session string, mode Mode) error {
	if err := check(session, mode); err != nil {
		return fmt.Errorf("acquiring a session: %w", err)
	}
	if err := d.lockDisk(ctx); err != nil {
		return fmt.Errorf("acquiring a session: %w", err)
	}
	defer d.unlockDisk()
	own := Lease{Session: session, Holder: d.self, Mode: mode, State: procid.Alive}
	if err := d.acquire(own); err != nil {
		return fmt.Errorf("acquiring a session: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leases[session] = append(slices.Clone(d.leases[session]), own)
	return nil
}

// acquire announces the lease, then looks for others. Of two that do so at
// once, the later announcement is followed by a look that sees the earlier one.
func (d *Directory) acquire(own Lease) error {
	if err := d.refuseSecond(own); err != nil {
		return err
	}
	if err := d.announce(own); err != nil {
		return err
	}
	rivals, err := d.rivals(own)
	if err == nil && len(rivals) > 0 {
		err = &HeldError{Session: own.Session, Holders: rivals}
	}
	if err != nil {
		return errors.Join(err, os.Remove(d.file(own)))
	}
	return nil
}

// refuseSecond refuses a second lease of this process, also one that it has
// from before an exec.
func (d *Directory) refuseSecond(own Lease) error {
	for _, mode := range []Mode{Shared, Exclusive} {
		held := own
		held.Mode = mode
		switch _, err := os.Lstat(d.file(held)); {
		case err == nil:
			return &HeldError{Session: own.Session, Holders: []Lease{held}}
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
	}
	return nil
}

func (d *Directory) announce(own Lease) error {
	file, err := os.OpenFile(d.file(own), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// rivals returns the leases that the own one does not go with and whose
// holders are not dead.
func (d *Directory) rivals(own Lease) ([]Lease, error) {
	all, err := d.list()
	if err != nil {
		return nil, err
	}
	rivals := slices.DeleteFunc(all, func(other Lease) bool {
		goes := own.Mode == Shared && other.Mode == Shared
		return other.Session != own.Session || other.Holder == d.self || goes
	})
	return d.bury(rivals)
}

// Release gives the lease of this process back. The error wraps
// [os.ErrNotExist] if it has none. After another error the lease is still held.
// Release waits as Acquire does, without a probe.
func (d *Directory) Release(ctx context.Context, session string) error {
	if err := check(session, Shared); err != nil {
		return fmt.Errorf("releasing a session: %w", err)
	}
	if err := d.lockDisk(ctx); err != nil {
		return fmt.Errorf("releasing a session: %w", err)
	}
	defer d.unlockDisk()
	own := Lease{Session: session, Holder: d.self, Mode: Shared}
	err := os.Remove(d.file(own))
	if errors.Is(err, os.ErrNotExist) {
		own.Mode = Exclusive
		err = os.Remove(d.file(own))
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("releasing a session: %w", err)
	}
	d.forget(session)
	if err != nil {
		return fmt.Errorf("releasing session %q, which this process does not hold: %w", session, os.ErrNotExist)
	}
	return nil
}

func (d *Directory) forget(session string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(d.leases[session]), func(l Lease) bool { return l.Holder == d.self })
	if len(others) == 0 {
		delete(d.leases, session)
		return
	}
	d.leases[session] = others
}

// lockDisk waits until nobody else of this process is at the files.
func (d *Directory) lockDisk(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case d.disk <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *Directory) unlockDisk() { <-d.disk }

func (d *Directory) file(l Lease) string {
	return filepath.Join(d.path, fileName(l))
}
