package owned

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
)

// A journal writes the rows of an owner to its ledger, one after the other and
// on a goroutine of its own, so that a disk that stalls holds nobody up who has
// something to note. The goroutine ends when everything is written.
//
// Its methods are safe for concurrent use.
type journal struct {
	opened chan struct{}  // closed when the ledger is open, or cannot be
	ledger *ledger.Ledger // nil if there is none; set before opened is closed
	err    error          // why, if there should be one; as ledger

	mu      sync.Mutex
	wanted  bool
	tasks   []func() // that wait, in order
	working bool
	lost    int // rows
}

const (
	// maxNoted is how many rows may wait for the disk. Further ones are lost.
	// It is a few megabytes, and some thousand starts and ends.
	maxNoted = 4096
	// diskWait is how long somebody waits who has to know that a row was
	// written. It is what [ledger.Open] waits for a lock.
	diskWait = 2 * time.Second
)

var errDisk = fmt.Errorf("the disk of the ledger has not answered for %v", diskWait)

// open has the journal open its ledger before everything else.
func (j *journal) open(open func() (*ledger.Ledger, error)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wanted = true
	j.add(func() {
		j.ledger, j.err = open()
		close(j.opened)
	})
}

// note has a row written later. It does not wait.
func (j *journal) note(row ledger.Entry) {
	if row.Time.IsZero() {
		row.Time = now()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case !j.wanted:
	case len(j.tasks) >= maxNoted:
		j.lost++
	default:
		j.add(func() { j.append(row) })
	}
}

// write writes a row behind those that were noted before. If it returns
// errDisk, the row is written as soon as the disk answers.
func (j *journal) write(row ledger.Entry) error {
	return j.do(func() error { return j.append(row) })
}

// flush returns when everything is written that was noted before, or with
// errDisk.
func (j *journal) flush() error {
	return j.do(func() error { return nil })
}

// close closes the ledger behind everything else.
func (j *journal) close() error {
	return j.do(func() error {
		if j.ledger == nil {
			return nil
		}
		return j.ledger.Close()
	})
}

// trouble says why no ledger is kept, or not a whole one. It waits until one is
// open.
func (j *journal) trouble() error {
	j.mu.Lock()
	wanted, lost := j.wanted, j.lost
	j.mu.Unlock()
	if !wanted {
		return nil
	}
	select {
	case <-j.opened:
	case <-time.After(diskWait):
		return errDisk
	}
	if lost > 0 {
		return fmt.Errorf("%d rows are lost, since the disk of the ledger did not keep up", lost)
	}
	return j.err
}

func (j *journal) append(row ledger.Entry) error {
	if j.ledger == nil {
		return errors.Join(j.err, errors.ErrUnsupported)
	}
	if err := j.ledger.Append(row); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}

// do waits for a task.
func (j *journal) do(task func() error) error {
	done := make(chan error, 1)
	j.mu.Lock()
	if j.wanted {
		j.add(func() { done <- task() })
	} else {
		done <- nil
	}
	j.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-time.After(diskWait):
		return errDisk
	}
}

// add adds a task. The caller holds the lock.
func (j *journal) add(task func()) {
	j.tasks = append(j.tasks, task)
	if !j.working {
		j.working = true
		go j.work()
	}
}

func (j *journal) work() {
	for {
		task := j.next()
		if task == nil {
			return
		}
		task()
	}
}

// next returns nil to a goroutine that is to end.
func (j *journal) next() func() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.tasks) == 0 {
		j.tasks, j.working = nil, false
		return nil
	}
	task := j.tasks[0]
	j.tasks[0] = nil
	j.tasks = j.tasks[1:]
	return task
}

func now() time.Time { return time.Now().Round(0).UTC() }
