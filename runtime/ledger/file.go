package ledger

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A file is the open and locked file of an owner.
type file struct {
	path  string
	owner procid.Identity
	users int // Ledgers that share it; guarded by opened

	mu     sync.Mutex
	handle *os.File
	book   book
	// pending is what the file has to go on with: the rest of rows that could
	// not be written when they came.
	pending []byte
	// replaceAt is how many idle rows it takes to write the file anew.
	replaceAt int
}

const (
	// minIdle is how many rows of ended children are never worth a new file.
	minIdle = 1000
	// maxPending bounds what waits for a full disk: some thousand rows.
	maxPending = 1 << 20
)

func openFile(path string, owner procid.Identity) (*file, error) {
	handle, err := openLocked(path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, owner: owner, handle: handle, replaceAt: minIdle}
	if err := f.load(); err != nil {
		handle.Close()
		return nil, err
	}
	return f, nil
}

// openLocked opens the file, or makes it, and locks it. A file that was
// removed before it was locked is of no use, so it looks again.
func openLocked(path string) (*os.File, error) {
	for deadline := time.Now().Add(lockWait); ; time.Sleep(time.Millisecond) {
		handle, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|noFollow, 0o600)
		if err != nil {
			return nil, err
		}
		err = lockExclusive(handle)
		if err == nil && isAt(handle, path) {
			return handle, nil
		}
		handle.Close()
		if err != nil && !errors.Is(err, ErrLocked) {
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("locking %s for %v: %w", path, lockWait, ErrLocked)
		}
	}
}

// isAt reports whether the file is still the one that has the name.
func isAt(handle *os.File, path string) bool {
	mine, err := handle.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, named)
}

// load enters the rows that are there, and the owner's own row if it has none.
func (f *file) load() error {
	// The mode holds whatever the umask is.
	if err := f.handle.Chmod(0o600); err != nil {
		return err
	}
	contents, err := scan(f.handle)
	if err != nil {
		return err
	}
	f.book = contents.book
	if contents.unterminated {
		f.pending = []byte("\n")
	}
	if !f.book.opened.Time.IsZero() {
		return nil
	}
	return f.append(f.opening())
}

// opening is the owner's row about itself.
func (f *file) opening() Entry {
	e := Entry{Time: now(), Event: EventOpen, Process: f.owner}
	if f.owner == procid.Self() {
		e.Command = os.Args
		e.Dir, _ = os.Getwd()
	}
	return e.bounded()
}

// append writes the row after whatever could not be written before it. The
// file is the beginning of the rows at every moment, whichever writes fail.
func (f *file) append(e Entry) error {
	row, err := e.row()
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.pending)+len(row) > maxPending {
		return fmt.Errorf("the row is lost: %d bytes of rows already wait to be written", len(f.pending))
	}
	f.book.enter(e)
	f.pending = append(f.pending, row...)
	if err := f.flush(); err != nil {
		return err
	}
	f.shrink()
	return nil
}

func (f *file) flush() error {
	n, err := f.handle.Write(f.pending)
	f.pending = f.pending[n:]
	if len(f.pending) == 0 {
		f.pending = nil
	}
	return err
}

// shrink writes the file anew if most of it is history. That it cannot is no
// loss: the old file holds every row.
func (f *file) shrink() {
	if !canReplace || f.book.idle() < max(f.replaceAt, len(f.book.live)) {
		return
	}
	if err := f.replace(); err != nil {
		f.replaceAt = 2 * f.book.idle()
		return
	}
	f.replaceAt = minIdle
}

// replace puts a new file with the living rows in the place of the old one.
// There is a whole file under the name at every moment, and it is locked.
func (f *file) replace() error {
	entries := f.book.kept()
	handle, err := writeNew(f.path, entries)
	if err != nil {
		return err
	}
	f.handle.Close()
	f.handle = handle
	f.book = book{}
	for _, e := range entries {
		f.book.enter(e)
	}
	f.pending = nil
	return nil
}

// writeNew writes entries to a new file and gives it the name path. It returns
// the file, open for more rows and locked.
func writeNew(path string, entries []Entry) (_ *os.File, err error) {
	temporary := path + newSuffix
	// Only the owner makes this file, and it has crashed if there is one.
	if err := os.Remove(temporary); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	handle, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			handle.Close()
			os.Remove(temporary)
		}
	}()
	if err := handle.Chmod(0o600); err != nil {
		return nil, err
	}
	if err := lockExclusive(handle); err != nil {
		return nil, err
	}
	if err := writeRows(handle, entries); err != nil {
		return nil, err
	}
	return handle, os.Rename(temporary, path)
}

func writeRows(handle *os.File, entries []Entry) error {
	var text []byte
	for _, e := range entries {
		row, err := e.row()
		if err != nil {
			return err
		}
		text = append(text, row...)
	}
	_, err := handle.Write(text)
	return err
}

// close removes a file that has nothing left to say and closes it. The lock is
// held until then, so nobody is in the middle of taking it over.
func (f *file) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	if len(f.book.live) == 0 {
		err = f.remove()
	} else if len(f.pending) > 0 {
		err = f.flush()
	}
	if closeErr := f.handle.Close(); !errors.Is(closeErr, os.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	return err
}

func (f *file) remove() error {
	if removeNeedsClose {
		f.handle.Close()
	}
	return os.Remove(f.path)
}

func now() time.Time {
	return time.Now().Round(0).UTC()
}
