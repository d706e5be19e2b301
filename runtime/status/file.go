package status

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
	"github.com/holdfast-go/holdfast/runtime/internal/filelock"
)

const (
	// lockBound is the longest that a write waits for other processes. One that
	// is stopped while it has the lock must not silence all others.
	lockBound = 2 * time.Second
	// A file that is being written in place is read again after a pause, so many
	// times, before it counts as corrupt.
	tries    = 5
	tryPause = 20 * time.Millisecond
	// rounds bounds how often one write merges what others keep putting there.
	rounds = 1000
	// keptAside bounds how many corrupt files there are of one name.
	keptAside = 100
)

// A fileStore lays values over a file that others write too.
type fileStore struct {
	path   string
	sync   atomicfile.Sync
	logger func() *slog.Logger

	tidied bool
	seen   os.FileInfo // the file as it was when it had everything
	had    []update    // what it had
}

func newFileStore(path string, s settings) *fileStore {
	return &fileStore{path: path, sync: s.sync, logger: s.log}
}

// save brings the updates into the file.
func (f *fileStore) save(updates []update) error {
	path, err := target(f.path)
	if err != nil {
		return err
	}
	if f.unchanged(path, updates) {
		return nil
	}
	unlock, err := f.lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	before, err := f.load(path)
	if err != nil {
		return err
	}
	f.seen, err = f.merge(path, before, updates)
	f.had = updates
	return err
}

// merge lays the updates over what was in the file, until it can put the result
// there without having displaced anything else. It returns the file that has
// the updates.
func (f *fileStore) merge(path string, before content, updates []update) (os.FileInfo, error) {
	var foreign []change // displaced, and not in the file again yet
	sync := f.sync
	for range rounds {
		before.root.apply(foreign)
		if !before.root.overlay(updates) && foreign == nil && before.info != nil {
			return before.info, f.late(path, sync)
		}
		after := before.root.encode()
		displaced, info, err := swap(path, before.data, after, sync)
		if errors.Is(err, atomicfile.ErrChanged) {
			if before, err = f.load(path); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(displaced, before.data) {
			foreign = f.difference(path, before.data, displaced)
		} else {
			foreign = nil
		}
		if foreign == nil {
			return info, f.late(path, sync)
		}
		// Somebody was faster. What they changed goes on top of what is there
		// now; while that goes on, only the last version is forced to the disk.
		before, sync = content{after, before.root, info}, atomicfile.SyncNone
	}
	return nil, fmt.Errorf("others have changed the file %d times during one write", rounds)
}

// late forces a file to the disk that was written without.
func (f *fileStore) late(path string, sync atomicfile.Sync) error {
	if sync == f.sync {
		return nil
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("syncing: %w", err)
	}
	return errors.Join(file.Sync(), file.Close())
}

// swap replaces the file, and returns what it displaced and the new one.
func swap(path string, before, after []byte, sync atomicfile.Sync) ([]byte, os.FileInfo, error) {
	staged, err := atomicfile.Stage(path, after, sync)
	if err != nil {
		return nil, nil, err
	}
	displaced, err := staged.Swap(before)
	if err != nil {
		staged.Discard()
	}
	return displaced, staged.Info(), err
}

// difference returns what somebody changed in the file between the moment it was
// read and the moment it was replaced. What is no JSON object is kept aside.
func (f *fileStore) difference(path string, before, displaced []byte) []change {
	old, err := parse(before)
	if err != nil {
		old = newObject()
	}
	root, err := parse(displaced)
	if err == nil {
		return old.changes(root, nil)
	}
	if len(bytes.TrimSpace(displaced)) > 0 {
		aside, err := asideName(path)
		if err == nil {
			err = atomicfile.Write(aside, displaced, f.sync)
		}
		f.logger().Warn("status: somebody put a file there that is not a JSON object",
			"file", path, "kept", aside, "error", err)
	}
	return nil
}

// A content is a file as it was read.
type content struct {
	data []byte // nil if there was no file
	root *object
	info os.FileInfo // nil if there was no file
}

// load reads the file. One that is not there, or empty, is an empty object; one
// that stays corrupt is moved aside.
func (f *fileStore) load(path string) (content, error) {
	for try := 1; ; try++ {
		data, info, err := readFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return content{root: newObject()}, nil
		}
		if err != nil {
			return content{}, err
		}
		root, err := parse(data)
		if err == nil {
			return content{data, root, info}, nil
		}
		if try < tries {
			time.Sleep(tryPause)
			continue
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return content{data, newObject(), info}, nil
		}
		if err := f.moveAside(path, err); err != nil {
			return content{}, err
		}
		return content{root: newObject()}, nil
	}
}

func (f *fileStore) moveAside(path string, reason error) error {
	aside, err := asideName(path)
	if err == nil {
		err = os.Rename(path, aside)
	}
	if err != nil {
		return fmt.Errorf("keeping the corrupt file aside: %w", err)
	}
	f.logger().Warn("status: the file is corrupt and is kept aside", "file", path, "kept", aside, "reason", reason)
	return nil
}

// asideName returns a name for a corrupt file that is not taken.
func asideName(path string) (string, error) {
	for i := range keptAside {
		aside := path + ".corrupt"
		if i > 0 {
			aside = fmt.Sprintf("%s.%d", aside, i+1)
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, nil
		}
	}
	return "", fmt.Errorf("there are %d of them: %w", keptAside, fs.ErrExist)
}

// lock takes the lock that processes of this package take turns by. It is not
// waited for longer than lockBound, and a file system without locks has none.
func (f *fileStore) lock(path string) (unlock func(), err error) {
	folder, name := filepath.Split(path)
	file, err := os.OpenFile(folder+"."+name+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock file: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockBound)
	defer cancel()
	locked := filelock.Lock(ctx, file) == nil
	if locked && !f.tidied {
		atomicfile.Tidy(path)
		f.tidied = true
	}
	return func() { file.Close() }, nil
}

// unchanged reports whether the file still is what the last save left behind,
// and that had the same updates.
func (f *fileStore) unchanged(path string, updates []update) bool {
	if f.seen == nil {
		return false
	}
	same := slices.EqualFunc(updates, f.had, func(a, b update) bool {
		return a.value == b.value && slices.Equal(a.names, b.names)
	})
	if !same {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, f.seen) &&
		info.Size() == f.seen.Size() && info.ModTime().Equal(f.seen.ModTime())
}

// target returns where a symbolic link leads, so that it is not the link that is
// replaced.
func target(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("following the link: %w", err)
	}
	return target, nil
}
