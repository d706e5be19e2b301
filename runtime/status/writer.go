package status

import "time"

// A store lays values over a file. It may take its time.
type store interface {
	save(updates []update) error
}

// How long a failing disk is left alone: the first pause and the longest.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// hangAfter is how long a write may take before it is called a failure.
const hangAfter = 5 * time.Second

// progress is how far the file has come. The Writer's lock guards it.
type progress struct {
	written Generation
	idle    bool     // the writing goroutine waits, and knows of nothing to write
	urgent  bool     // somebody waits for a write
	next    *attempt // which has not begun yet; nil if nobody waits for it
}

// An attempt is a write that somebody waits for.
type attempt struct {
	done chan struct{} // closed when it has ended
	err  error         // valid then
}

// A job is what the writing goroutine does next: write, or wait.
type job struct {
	wait       time.Duration // how long, if it is not to write now
	updates    []update
	generation Generation
	attempt    *attempt
}

// run is the writing goroutine.
func (w *Writer) run() {
	defer close(w.ended)
	var p pace
	health := health{logger: w.settings.log, path: w.settings.file}
	for {
		j := w.plan(&p)
		if j.wait > 0 {
			w.rest(j.wait)
			continue
		}
		w.write(j, &p, &health)
		if w.finished() {
			return
		}
	}
}

// plan decides what to do now.
func (w *Writer) plan(p *pace) job {
	w.mu.Lock()
	defer w.mu.Unlock()
	dirty := w.snapshot.generation > w.progress.written
	wait := p.due(dirty, w.settings)
	if wait > 0 && !w.progress.urgent && !w.closed {
		w.progress.idle = !dirty
		return job{wait: wait}
	}
	j := job{
		updates:    w.snapshot.updates(),
		generation: w.snapshot.generation,
		attempt:    w.progress.next,
	}
	w.progress.idle = false
	w.progress.urgent = false
	w.progress.next = nil
	return j
}

// rest waits for a time, or until there is a reason to look again.
func (w *Writer) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-w.wake:
	case <-timer.C:
	}
}

func (w *Writer) write(j job, p *pace, h *health) {
	hanging := time.AfterFunc(hangAfter, h.hanging)
	err := w.store.save(j.updates)
	hanging.Stop()
	h.ended(err)
	p.ended(err)

	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.progress.written = j.generation
		w.snapshot.forgetDeleted(j.generation)
	}
	if j.attempt != nil {
		j.attempt.err = err
		close(j.attempt.done)
	}
}

// finished reports whether the Writer was closed and has had its last try.
func (w *Writer) finished() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed && !w.progress.urgent
}

// A pace says when the writing goroutine writes next. It belongs to it alone.
type pace struct {
	last  time.Time     // when the last write ended
	pause time.Duration // what a failure has to wait for, 0 after a success
}

// due returns how long there is to wait before the next write.
func (p *pace) due(dirty bool, s settings) time.Duration {
	interval := s.recheck
	switch {
	case p.last.IsZero():
		return 0
	case p.pause > 0:
		interval = p.pause
	case dirty:
		interval = s.interval
	}
	return time.Until(p.last.Add(interval))
}

func (p *pace) ended(err error) {
	p.last = time.Now()
	if err == nil {
		p.pause = 0
		return
	}
	p.pause = min(max(2*p.pause, firstPause), longestPause)
}
