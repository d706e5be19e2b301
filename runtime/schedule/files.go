package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
	"github.com/holdfast-go/holdfast/runtime/internal/filelock"
)

const (
	// lockBound is how long an update waits for another of the same shard: far
	// longer than a healthy disk needs for one.
	lockBound = 2 * time.Second
	// largest is the most that is read of a file.
	largest = 4 << 20
	// longestName keeps names under the 255 bytes of most file systems.
	longestName = 180
	// staleTemporary is how old a temporary file is that nobody is writing.
	staleTemporary = time.Hour
)

// shards is how many locks there are. Sessions of one shard wait for each other
// while they write.
const shards = 64

// Files is a [Store] of one JSON file per session in a folder, which several
// processes may share. Files are replaced as a whole and forced to the disk
// before, so that a reader, a kill and a power cut find the old one or the new.
// They have mode 0600.
//
// Update waits for others in the same folder for 2 s at most, by a lock on a file
// beside (".lock-00" to ".lock-3f"). The disk itself has no bound.
type Files struct {
	dir   string
	turns [shards]chan struct{} // who is in this process
}

// NewFiles returns a store in the folder, which is made with mode 0700 if there is
// none. Temporary files that killed processes have left are removed.
func NewFiles(dir string) (*Files, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the schedules: %w", err)
	}
	f := &Files{dir: dir}
	for i := range f.turns {
		f.turns[i] = make(chan struct{}, 1)
	}
	return f, f.tidy()
}

// Read implements [Store]. It takes no lock.
func (f *Files) Read(_ context.Context, session string) (Document, error) {
	document, err := f.read(session)
	if errors.Is(err, fs.ErrNotExist) {
		return Document{}, fmt.Errorf("session %q: %w", session, ErrNotFound)
	}
	return document, err
}

// Update implements [Store].
func (f *Files) Update(ctx context.Context, session string, change func(*Document) error) error {
	unlock, err := f.lock(ctx, session)
	if err != nil {
		return fmt.Errorf("updating the schedules of session %q: %w", session, err)
	}
	defer unlock()
	document, err := f.read(session)
	if errors.Is(err, fs.ErrNotExist) {
		document, err = Document{Session: session}, nil
	}
	if err != nil {
		return err
	}
	if document.Schedules == nil {
		document.Schedules = make(map[Kind]*Schedule)
	}
	if err := change(&document); err != nil {
		return err
	}
	if err := f.write(session, document); err != nil {
		return fmt.Errorf("writing the schedules of session %q: %w", session, err)
	}
	return nil
}

// Sessions implements [Store]. It skips files that are not its own, and those it
// cannot read, which it returns an error about besides the others.
func (f *Files) Sessions(context.Context) ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, fmt.Errorf("listing the schedules: %w", err)
	}
	var sessions []string
	var problems []error
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) || !strings.HasSuffix(entry.Name(), suffix) {
			continue
		}
		document, err := decode(filepath.Join(f.dir, entry.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed since
		case err != nil:
			problems = append(problems, err)
		default:
			sessions = append(sessions, document.Session)
		}
	}
	return sessions, errors.Join(problems...)
}

func (f *Files) read(session string) (Document, error) {
	document, err := decode(f.path(session))
	if err == nil && document.Session != session {
		return Document{}, fmt.Errorf("reading the schedules of session %q: the file is that of session %q", session, document.Session)
	}
	return document, err
}

func decode(path string) (Document, error) {
	file, err := atomicfile.Open(path)
	if err != nil {
		return Document{}, fmt.Errorf("reading schedules: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err != nil {
		return Document{}, fmt.Errorf("reading schedules: %w", err)
	}
	if len(data) > largest {
		return Document{}, fmt.Errorf("reading schedules: %s has more than %d bytes", path, int64(largest))
	}
	var document Document
	if err := json.Unmarshal(data, &document); err != nil {
		return Document{}, fmt.Errorf("reading schedules: %s: %w", path, err)
	}
	if document.Version != version {
		return Document{}, fmt.Errorf("reading schedules: %s has version %d, want %d", path, document.Version, version)
	}
	for kind, schedule := range document.Schedules {
		if schedule == nil || schedule.Kind != kind {
			return Document{}, fmt.Errorf("reading schedules: %s: the %q is none", path, kind)
		}
	}
	return document, nil
}

func (f *Files) write(session string, document Document) error {
	path := f.path(session)
	if document.empty() {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	document.Version, document.Session = version, session
	data, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(data, '\n'), atomicfile.SyncFile)
}

// lock makes the caller the only one who updates sessions of this shard, in this
// process and in others.
func (f *Files) lock(ctx context.Context, session string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lockBound, errLocked)
	defer cancel()
	shard := shardOf(session)
	select {
	case f.turns[shard] <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	file, err := lockFile(ctx, filepath.Join(f.dir, fmt.Sprintf(".lock-%02x", shard)))
	if err != nil {
		<-f.turns[shard]
		return nil, err
	}
	return func() {
		_ = file.Close() // which ends the lock
		<-f.turns[shard]
	}, nil
}

var errLocked = fmt.Errorf("somebody else has updated for longer than %v", lockBound)

// lockFile opens the file and locks it.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if err := filelock.Lock(ctx, file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return file, nil
}

func shardOf(session string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(session))
	return h.Sum32() % shards
}

// tidy removes temporary files of killed processes. What is younger may be that of
// a process which is just writing.
func (f *Files) tidy() error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return fmt.Errorf("tidying the schedules: %w", err)
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "."+prefix) || !strings.HasSuffix(entry.Name(), ".tmp") {
			continue
		}
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > staleTemporary {
			_ = os.Remove(filepath.Join(f.dir, entry.Name()))
		}
	}
	return nil
}
