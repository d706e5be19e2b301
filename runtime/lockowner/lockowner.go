package lockowner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// A Report is what [Find] found.
type Report struct {
	// Database is the file's path without symbolic links. It is empty in a
	// Report that comes with an error.
	Database string
	// Holders are ordered by PID and file. There is one for each range of
	// bytes that a process has locked, or for each candidate and file.
	Holders []Holder
	// OnlyCandidates says that this system does not export who holds a lock:
	// all Holders are candidates, and none is no proof that nobody holds one.
	OnlyCandidates bool
}

// A Holder is a process that holds, or may hold, a lock.
type Holder struct {
	// PID is the process, or 0 if the kernel does not export it.
	PID int
	// Self says that it is this very process.
	Self bool
	// Candidate says that the process has the file open and may hold a lock.
	Candidate bool
	// Command is the command line, at most 10 words and 1 KiB, with words
	// quoted where they need it; empty if it could not be read. It is for a
	// log: it may hold secrets.
	Command string
	// File is the path of the locked file: the database, or its -wal or -shm.
	File string
	// Locks are the locks in SQLite's words; empty for a candidate.
	Locks []string
	// Start and End are the first and the last byte locked; End is
	// [EndOfFile] for a lock without an end. Both are 0 for a candidate whose
	// locks are unknown.
	Start, End int64
}

// EndOfFile is the End of a lock that reaches as far as a file can.
const EndOfFile = math.MaxInt64

// Find returns who holds a write-class lock on the SQLite database at path, in
// the moment of the call. It never opens the database.
//
// It reads /proc or runs lsof, which takes a millisecond, or more on a machine
// with many locks. It returns the error of ctx as soon as that is done, even if
// the file system of path does not answer: a goroutine then waits on until it
// does. It returns an error if path is no regular file or what it needs cannot
// be read, and one that wraps [errors.ErrUnsupported] on a system that says
// nothing. The Report that comes with an error claims nothing. Find is safe for
// concurrent use.
func Find(ctx context.Context, path string) (Report, error) {
	report, err := within(ctx, func() (Report, error) { return find(ctx, path) })
	if err != nil {
		return Report{}, fmt.Errorf("finding who locks %s: %w", path, err)
	}
	return report, nil
}

// within returns what look returns, unless ctx is done before.
func within(ctx context.Context, look func() (Report, error)) (Report, error) {
	type answer struct {
		report Report
		err    error
	}
	answers := make(chan answer, 1) // so that a late one waits for nobody
	go func() {
		report, err := look()
		answers <- answer{report, err}
	}()
	select {
	case a := <-answers:
		return a.report, a.err
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
}

// String returns the report in one line, fit for an error: it has no command
// line.
func (r Report) String() string {
	if r.Database == "" {
		return "not known"
	}
	if len(r.Holders) == 0 && r.OnlyCandidates {
		return "no process is known to have it open (this system does not say who holds a lock)"
	}
	if len(r.Holders) == 0 {
		return "no write-class lock is held (the holder may have released it just before)"
	}
	holders := make([]string, len(r.Holders))
	for i, holder := range r.Holders {
		holders[i] = holder.String()
	}
	return strings.Join(holders, " | ")
}

// LogValue returns the report for a log, with the command lines.
func (r Report) LogValue() slog.Value {
	if len(r.Holders) == 0 {
		return slog.StringValue(r.String())
	}
	holders := make([]string, len(r.Holders))
	for i, holder := range r.Holders {
		holders[i] = holder.String()
		if holder.Command != "" {
			holders[i] += " (" + holder.Command + ")"
		}
	}
	return slog.StringValue(strings.Join(holders, " | "))
}

// String returns the holder without its command line.
func (h Holder) String() string {
	file := filepath.Base(h.File)
	locks := strings.Join(h.Locks, "+")
	switch {
	case h.Candidate && len(h.Locks) == 0:
		return fmt.Sprintf("candidate: %s has %s open", h.process(), file)
	case h.Candidate:
		return fmt.Sprintf("candidate: %s may hold %s on %s", h.process(), locks, file)
	}
	return fmt.Sprintf("%s holds %s on %s", h.process(), locks, file)
}

func (h Holder) process() string {
	switch {
	case h.Self:
		return fmt.Sprintf("pid %d (this process)", h.PID)
	case h.PID == 0:
		return "a process whose pid the kernel does not export (OFD lock)"
	}
	return fmt.Sprintf("pid %d", h.PID)
}

// databaseFiles returns the database without symbolic links, as SQLite names
// its files after it, and those of its files that there are. It opens none.
func databaseFiles(path string) (database string, files []string, err error) {
	database, err = filepath.Abs(path)
	if err != nil {
		return "", nil, err
	}
	database, err = filepath.EvalSymlinks(database)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(database)
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, errors.New("it is not a regular file")
	}
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		if _, err := os.Stat(database + suffix); err == nil {
			files = append(files, database+suffix)
		}
	}
	return database, files, nil
}
