package status

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// CloseBound is the longest that [Writer.Close] waits: a program that ends must
// not hang with its disk.
const CloseBound = 2 * time.Second

// ErrClosed says that the Writer was closed before.
var ErrClosed = errors.New("status: closed")

// A Generation numbers what was published: a file that has a generation has all
// earlier ones.
type Generation uint64

// A Writer publishes fields into one file. Make one with [New]. All methods are
// safe for concurrent use.
type Writer struct {
	settings settings
	store    store

	mu       sync.Mutex
	snapshot snapshot
	progress progress
	started  bool // the writing goroutine runs
	closed   bool

	wake  chan struct{} // holds at most one token
	ended chan struct{} // closed when the writing goroutine has ended
}

// New returns a Writer for the file at path, whose folder has to exist. It
// touches no disk. Nothing is written before something is published.
func New(path string, options ...Option) *Writer {
	s := newSettings(options)
	return newWriter(s, newFileStore(path, s))
}

func newWriter(s settings, store store) *Writer {
	w := &Writer{
		settings: s,
		store:    store,
		wake:     make(chan struct{}, 1),
		ended:    make(chan struct{}),
	}
	if s.process != "" {
		w.snapshot.set(processField(s.process))
	}
	return w
}

// Publish sets fields and returns the generation that has them. It waits for
// nothing. Setting a field to the value that it has changes nothing. After Close,
// Publish does nothing.
func (w *Writer) Publish(fields ...Field) Generation {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.snapshot.generation
	}
	return w.publish(fields)
}

// Write publishes fields and waits until the file has them. When ctx ends first,
// Write returns its cause and the fields stay published. A write that failed is
// returned, and tried again later. After Close, the error is [ErrClosed].
func (w *Writer) Write(ctx context.Context, fields ...Field) error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	generation := w.publish(fields)
	if w.progress.written >= generation {
		w.mu.Unlock()
		return nil
	}
	attempt := w.hurry()
	w.mu.Unlock()
	return w.await(ctx, attempt)
}

// Flush waits until the file has everything that was published so far, as Write
// does.
func (w *Writer) Flush(ctx context.Context) error {
	return w.Write(ctx)
}

// Close publishes a last set of fields, such as why the program ends, waits
// until the file has all that was published, and ends the Writer. It waits no
// longer than [CloseBound] and no longer than ctx; a write that hangs until then
// is left behind. A write that fails is returned and not tried again. The second
// Close returns [ErrClosed].
func (w *Writer) Close(ctx context.Context, fields ...Field) error {
	ctx, cancel := context.WithTimeoutCause(ctx, CloseBound, fmt.Errorf("the disk has not answered for %v", CloseBound))
	defer cancel()
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	generation := w.publish(fields)
	w.closed = true
	if generation == 0 {
		w.mu.Unlock()
		return nil
	}
	attempt := w.hurry()
	w.mu.Unlock()
	if err := w.await(ctx, attempt); err != nil {
		return err
	}
	<-w.ended // it has nothing left to do
	return nil
}

// Snapshot returns what has been published, whether or not it has reached the
// disk. It has none of the file's other fields.
func (w *Writer) Snapshot() *Document {
	w.mu.Lock()
	updates := w.snapshot.updates()
	w.mu.Unlock()
	root := newObject()
	root.overlay(updates)
	return &Document{root}
}

// publish changes the snapshot. The lock is held.
func (w *Writer) publish(fields []Field) Generation {
	if w.snapshot.apply(fields) && (w.progress.idle || !w.started) {
		w.progress.idle = false
		w.rouse()
	}
	return w.snapshot.generation
}

// rouse makes the writing goroutine look, and starts it the first time. The lock
// is held.
func (w *Writer) rouse() {
	if !w.started {
		w.started = true
		go w.run()
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// hurry asks for a write without regard to the interval, and returns it. The
// lock is held.
func (w *Writer) hurry() *attempt {
	if w.progress.next == nil {
		w.progress.next = &attempt{done: make(chan struct{})}
	}
	w.progress.urgent = true
	w.rouse()
	return w.progress.next
}

func (w *Writer) await(ctx context.Context, a *attempt) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the status to be written: %w", context.Cause(ctx))
	}
}
