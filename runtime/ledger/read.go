package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An OwnerRecord is what the file of one owner says.
type OwnerRecord struct {
	// Owner is who wrote the file; the zero Identity if the file's name is
	// that of no owner.
	Owner procid.Identity
	// Alive is how it stands with the owner. An owner that cannot be looked up
	// from here but holds its lock is Alive.
	Alive procid.State
	// File is the name of the file.
	File string
	// Opened is the owner's row about itself, with its Command and Dir; zero
	// if the file has none.
	Opened Entry
	// Marks has the Cookie, Locks or Leaf that the owner's descendants are
	// known by, one entry for every part of the program that starts some.
	Marks []Entry
	// Live is who has not ended as far as the file says, oldest first. Whether
	// they run is theirs to say: a dead owner notes no ends.
	Live []Entry
	// Problems says what in the file could not be read or believed.
	Problems []string
	// Locked says that some process holds the lock of the file. With an owner
	// that is gone it is one that the owner forked and that did not exec.
	Locked bool
}

// Dead reports whether the owner has certainly ended.
func (r OwnerRecord) Dead() bool {
	return r.Alive == procid.Gone || r.Alive == procid.Zombie
}

// Read returns the records of all owners in dir, ordered by the names of their
// files; an empty dir is that of [Dir]. A directory that does not exist has
// none. A file that is damaged, or is another user's, comes with its Problems
// and with every row that is whole.
//
// Read never waits for a lock or for an owner. It reads at most 64 MiB of a
// file.
func Read(dir string) ([]OwnerRecord, error) {
	dir, err := orDefault(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	items, err := os.ReadDir(dir)
	if _, missing := os.Stat(dir); errors.Is(missing, os.ErrNotExist) {
		return nil, nil // Not told by err: to Windows a file as a directory does not exist.
	}
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	var records []OwnerRecord
	for _, item := range items {
		if !strings.HasSuffix(item.Name(), extension) {
			continue
		}
		record, err := readFile(filepath.Join(dir, item.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // Its owner closed it in the meantime.
		}
		if err != nil {
			record.Problems = append(record.Problems, err.Error())
		}
		records = append(records, record)
	}
	return records, nil
}

func readFile(path string) (OwnerRecord, error) {
	record := OwnerRecord{File: path}
	owner, err := parseFileName(filepath.Base(path))
	if err != nil {
		return record, err
	}
	record.Owner = owner
	for range 3 {
		current, err := record.read()
		if current || err != nil {
			record.Alive = stateOf(owner, record.Locked)
			return record, err
		}
	}
	// An owner that puts new files there as fast as they are read is at work,
	// and has its lock on the newest.
	record.Locked = true
	record.Alive = stateOf(owner, true)
	return record, nil
}

// read fills in what the file says. It reports false if the owner put a new
// file in its place meanwhile: then the lock of this one says nothing.
func (r *OwnerRecord) read() (current bool, err error) {
	handle, err := os.OpenFile(r.File, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return false, err
	}
	defer handle.Close()
	info, err := handle.Stat()
	switch {
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, errors.New("this is no regular file")
	case isForeign(info):
		return false, errors.New("the file belongs to another user and is not believed")
	}
	r.Locked = errors.Is(lockShared(handle), ErrLocked)
	contents, err := scan(handle)
	r.Opened, r.Marks, r.Live, r.Problems = contents.book.opened, contents.book.marks, contents.book.entries(), contents.problems
	return isAt(handle, r.File), err
}

func stateOf(owner procid.Identity, locked bool) procid.State {
	state := owner.State()
	if state == procid.CannotTell && locked {
		return procid.Alive
	}
	return state
}

// Remove removes the file of an owner that has ended, if everybody in it has
// ended too. Otherwise the file stays, and the error says what speaks against
// it. It waits at most 2 s, for another process that tests or removes the file.
func Remove(dir string, owner procid.Identity) error {
	if err := remove(dir, owner); err != nil {
		return fmt.Errorf("removing the ledger of %v: %w", owner, err)
	}
	return nil
}

func remove(dir string, owner procid.Identity) error {
	name, err := fileName(owner)
	if err != nil {
		return err
	}
	if dir, err = orDefault(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	for deadline := time.Now().Add(lockWait); ; time.Sleep(time.Millisecond) {
		err := removeOnce(path)
		if !errors.Is(err, ErrLocked) || time.Now().After(deadline) {
			return err
		}
	}
}

func removeOnce(path string) error {
	record, err := readFile(path)
	if err != nil {
		return err
	}
	if !record.Dead() {
		return fmt.Errorf("the owner is %v", record.Alive)
	}
	for _, e := range record.Live {
		if !e.over() {
			return fmt.Errorf("process %d or its group %d may still be there", e.Process.PID, e.Group)
		}
	}
	if record.Locked {
		return ErrLocked
	}
	// The owner is dead, so nobody writes the file any more.
	if err := os.Remove(path + newSuffix); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Remove(path)
}

// over reports whether nothing can be left of the child: neither the process
// nor anybody in its group, which can outlive it.
func (e Entry) over() bool {
	if e.Process.IsZero() {
		return groupIsEmpty(e.Group)
	}
	switch e.Process.State() {
	case procid.Gone, procid.Zombie:
		return e.Group == 0 || e.Process.Boot != procid.Self().Boot || groupIsEmpty(e.Group)
	}
	return false
}
