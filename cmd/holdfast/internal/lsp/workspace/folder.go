package workspace

import (
	"errors"
	"os"
	"path/filepath"
)

// folderPrefix begins the names of temporary folders.
const folderPrefix = "holdfast-lsp-"

// lockName is a file that is locked for as long as the folder's owner lives.
const lockName = "lock"

// A folder is a temporary folder whose owner can be known to be dead.
type folder struct {
	path string
	lock *os.File
}

// newFolder makes a folder below dir, and removes those whose owner is dead.
func newFolder(dir string) (*folder, error) {
	sweep(dir)
	path, err := os.MkdirTemp(dir, folderPrefix)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path}
	if err := f.claim(); err != nil {
		f.remove()
		return nil, err
	}
	return f, nil
}

// claim locks the file, and then writes to it: an empty one says nothing yet.
func (f *folder) claim() (err error) {
	if f.lock, err = os.Create(filepath.Join(f.path, lockName)); err != nil {
		return err
	}
	if err := lock(f.lock); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	_, err = f.lock.WriteString("The owner of this folder lives as long as this file is locked.\n")
	return err
}

func (f *folder) remove() {
	if f.lock != nil {
		f.lock.Close()
	}
	_ = os.RemoveAll(f.path) // what cannot be removed now is swept later
}

// sweep removes folders whose lock is free. One that has none, or an empty one, is
// left alone: its owner may be about to lock it.
func sweep(dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range paths {
		if isFree(filepath.Join(path, lockName)) {
			_ = os.RemoveAll(path)
		}
	}
}

func isFree(path string) bool {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	return err == nil && info.Size() > 0 && lock(file) == nil
}
