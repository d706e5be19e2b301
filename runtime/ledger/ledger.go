package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// lockWait bounds every wait for a lock. Nobody but its owner holds the lock
// of a file for longer than it takes to test or remove it.
const lockWait = 2 * time.Second

// ErrLocked is the error of a file whose lock another process holds.
var ErrLocked = errors.New("another process holds the lock of the ledger file")

// A Ledger is an owner's own file, open for rows. It is safe for concurrent use.
type Ledger struct {
	file   *file
	closed atomic.Bool
}

// Open opens the file of owner in dir, which is made if need be; an empty dir
// is that of [Dir]. The owner is this process; nobody else may write its file.
//
// The rows of a file that is already there count: a program that replaced
// itself by exec is still the same owner. A process that opens its file twice
// gets two Ledgers that share it.
//
// Open waits for 2 s at most, and only if another process holds the lock, as
// one that an earlier image of this program forked may; the error wraps
// [ErrLocked] then.
func Open(dir string, owner procid.Identity) (*Ledger, error) {
	f, err := openShared(dir, owner)
	if err != nil {
		return nil, fmt.Errorf("opening the ledger of %v: %w", owner, err)
	}
	return &Ledger{file: f}, nil
}

// Append adds a row. It waits for no other process; the write is to the page
// cache, and takes as long as the file system does.
//
// If the row cannot be written, as on a full disk, the error says so; the
// ledger then keeps it, up to 1 MiB of such rows, and writes it before the next
// row that it can write.
func (l *Ledger) Append(e Entry) error {
	if l.closed.Load() {
		return fmt.Errorf("appending to the ledger: %w", os.ErrClosed)
	}
	if e.Time.IsZero() {
		e.Time = now()
	}
	if err := l.file.append(e.bounded()); err != nil {
		return fmt.Errorf("appending to the ledger: %w", err)
	}
	return nil
}

// Live returns the rows of those who have not ended, oldest first.
func (l *Ledger) Live() []Entry {
	l.file.mu.Lock()
	defer l.file.mu.Unlock()
	return l.file.book.entries()
}

// Path returns the name of the file.
func (l *Ledger) Path() string {
	return l.file.path
}

// Close gives the lock back. It removes the file if everything in it has
// ended; otherwise the file stays, for whoever cleans up. Closing twice is
// harmless.
func (l *Ledger) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	if err := closeShared(l.file); err != nil {
		return fmt.Errorf("closing the ledger: %w", err)
	}
	return nil
}

// opened holds the files that this process has open: its second lock on one
// file would conflict with its first.
var opened = struct {
	sync.Mutex
	files map[string]*file
}{files: map[string]*file{}}

func openShared(dir string, owner procid.Identity) (*file, error) {
	name, err := fileName(owner)
	if err != nil {
		return nil, err
	}
	if dir, err = orDefault(dir); err != nil {
		return nil, err
	}
	opened.Lock()
	defer opened.Unlock()
	path := filepath.Join(dir, name)
	if f := opened.files[path]; f != nil {
		f.users++
		return f, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := openFile(path, owner)
	if err != nil {
		return nil, err
	}
	f.users = 1
	opened.files[path] = f
	return f, nil
}

func closeShared(f *file) error {
	opened.Lock()
	defer opened.Unlock()
	f.users--
	if f.users > 0 {
		return nil
	}
	delete(opened.files, f.path)
	return f.close()
}
