// Package atomicfile replaces small files as a whole: whoever opens the path
// reads either the old content or the new, never a mixture and never nothing,
// even if the process is killed in the middle.
//
// The new content is written to a temporary file in the same folder and then
// takes the path's place. All files have mode 0600, whatever the mode of the file
// before and the umask. A kill can leave a temporary file behind; [Tidy] removes
// such files. After an error none is left.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Sync says what is forced to the disk before a replacement counts as done. It
// matters for a power cut only: a killed process loses nothing it has written.
type Sync int

const (
	// SyncFile forces the content to the disk before it takes the path's place:
	// after a power cut the file is whole, old or new.
	SyncFile Sync = iota
	// SyncNone forces nothing: after a power cut the file can be empty on file
	// systems that do not order data before a rename.
	SyncNone
	// SyncFolder also forces the folder: after a power cut it is the new one.
	SyncFolder
)

// ErrChanged says that the file is not what the caller expected, and that nothing
// was replaced.
var ErrChanged = errors.New("the file was changed by another")

// Write replaces the file at path with one that holds data. A symbolic link at
// path is replaced, not followed.
func Write(path string, data []byte, sync Sync) error {
	staged, err := Stage(path, data, sync)
	if err != nil {
		return err
	}
	defer staged.Discard()
	return staged.Replace()
}

// Open opens the file at path for reading. Where a replacement keeps others out
// for a moment (Windows), it waits for that, a second at most.
func Open(path string) (*os.File, error) { return open(path) }

// A Staged file is one that has not taken its place yet.
type Staged struct {
	path, temporary string
	sync            Sync
	info            os.FileInfo
}

// Stage writes data to a temporary file beside path.
func Stage(path string, data []byte, sync Sync) (*Staged, error) {
	folder, name := filepath.Split(path)
	file, err := os.CreateTemp(folder, prefix(name)+"*"+suffix)
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	s := &Staged{path: path, temporary: file.Name(), sync: sync}
	s.info, err = fill(file, data, sync)
	if err := errors.Join(err, file.Close()); err != nil {
		s.Discard()
		return nil, fmt.Errorf("writing a temporary file: %w", err)
	}
	return s, nil
}

func fill(file *os.File, data []byte, sync Sync) (os.FileInfo, error) {
	if err := file.Chmod(0o600); err != nil { // a umask may have taken the owner's rights
		return nil, err
	}
	if _, err := file.Write(data); err != nil {
		return nil, err
	}
	if sync != SyncNone {
		if err := file.Sync(); err != nil {
			return nil, err
		}
	}
	return file.Stat()
}

// Info describes the staged file. It is the same file once it is in its place.
func (s *Staged) Info() os.FileInfo {
	return s.info
}

// Replace puts the staged file at its path.
func (s *Staged) Replace() error {
	if err := rename(s.temporary, s.path); err != nil {
		return fmt.Errorf("replacing the file: %w", err)
	}
	return s.settle()
}

// Swap puts the staged file at its path and returns what was there, which the
// caller expected to be the given content: nil for no file at all. Where the
// system can exchange two files in one step (Linux), whatever another process
// put there in the meantime is returned, and so not lost; if it cannot be read, as
// a folder or a file of more than 64 MiB, it stays there and the error says so.
// Elsewhere the file is read once more just before the replacement, and a change in
// between is lost.
//
// Swap returns [ErrChanged] if it saw a difference before it replaced anything.
func (s *Staged) Swap(expected []byte) (displaced []byte, err error) {
	displaced, err = exchange(s.temporary, s.path, expected != nil)
	if errors.Is(err, errors.ErrUnsupported) {
		displaced, err = s.swapUnlessChanged(expected)
	}
	if err != nil {
		return nil, err
	}
	return displaced, s.settle()
}

func (s *Staged) swapUnlessChanged(expected []byte) ([]byte, error) {
	current, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the file before replacing it: %w", err)
	}
	if (err == nil) != (expected != nil) || !bytes.Equal(current, expected) {
		return nil, ErrChanged
	}
	if err := rename(s.temporary, s.path); err != nil {
		return nil, fmt.Errorf("replacing the file: %w", err)
	}
	return expected, nil
}

// Discard removes the staged file if it has not taken its place.
func (s *Staged) Discard() {
	_ = os.Remove(s.temporary)
}

func (s *Staged) settle() error {
	if s.sync != SyncFolder {
		return nil
	}
	return syncFolder(filepath.Dir(s.path))
}

// Tidy removes temporary files for path that killed processes have left behind.
// The caller has to know that nobody is just writing one.
func Tidy(path string) {
	folder, name := filepath.Split(path)
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if isTemporary(entry.Name(), name) {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

const suffix = ".tmp"

func prefix(name string) string {
	return "." + name + "."
}

// isTemporary reports whether Stage made the file for the named one: only digits
// stand where it asked for a random number.
func isTemporary(file, name string) bool {
	head, tail := prefix(name), suffix
	if len(file) <= len(head)+len(tail) || file[:len(head)] != head || file[len(file)-len(tail):] != tail {
		return false
	}
	for _, c := range file[len(head) : len(file)-len(tail)] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
