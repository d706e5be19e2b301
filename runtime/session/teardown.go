package session

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// teardown is what is left to do for sessions that were closed. It is guarded by
// the registry's lock.
type teardown struct {
	queue   []*closed
	workers int
	waiting map[*record]chan struct{} // turns of closed sessions that hooks wait for
	late    int                       // hooks that have not returned within their bound
	idle    chan struct{}             // closed once the registry is shut and no worker is left
}

type closed struct {
	session *record
	closing Closing
	settle  time.Duration
	ended   <-chan struct{} // when the turn ends; nil if it is not waited for
}

// startTeardown hands a retired session to a worker. Until its hooks are done the
// session is remembered, so that who comes back learns that it has ended.
func (r *Registry) startTeardown(s *record, closing Closing, settle time.Duration) {
	if len(r.opts.Hooks) == 0 {
		delete(r.sessions, s.id)
		return
	}
	job := &closed{session: s, closing: closing, settle: settle}
	if s.running && settle >= 0 {
		job.ended = r.teardown.wait(s)
	}
	r.teardown.queue = append(r.teardown.queue, job)
	if r.teardown.workers < closers {
		r.teardown.workers++
		go r.tearDown()
	}
}

func (t *teardown) wait(s *record) <-chan struct{} {
	if t.waiting == nil {
		t.waiting = make(map[*record]chan struct{})
	}
	ended := make(chan struct{})
	t.waiting[s] = ended
	return ended
}

// settled says that the turn of a closed session has ended.
func (t *teardown) settled(s *record) {
	if ended := t.waiting[s]; ended != nil {
		close(ended)
		delete(t.waiting, s)
	}
}

// tearDown is a worker: it lives while there is something to tear down.
func (r *Registry) tearDown() {
	for {
		job := r.nextClosed()
		if job == nil {
			return
		}
		r.awaitTurn(job)
		for _, hook := range r.opts.Hooks {
			r.runHook(hook, job)
		}
		r.forget(job.session)
	}
}

func (r *Registry) nextClosed() *closed {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &r.teardown
	if len(t.queue) == 0 {
		t.queue = nil
		t.workers--
		if r.shut && t.workers == 0 {
			close(t.idle)
		}
		return nil
	}
	job := t.queue[0]
	t.queue[0] = nil
	t.queue = t.queue[1:]
	return job
}

func (r *Registry) awaitTurn(job *closed) {
	if job.ended == nil {
		return
	}
	ctx, cancel := r.within(job.settle)
	defer cancel()
	select {
	case <-job.ended:
	case <-ctx.Done():
	}
}

// runHook waits for the hook until its bound. A hook that has not returned then
// goes on by itself.
func (r *Registry) runHook(hook Hook, job *closed) {
	ctx, cancel := r.within(orDefault(hook.Bound, DefaultBound))
	done := make(chan error, 1)
	go func() {
		defer cancel()
		done <- hook.Run(ctx, job.closing)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = r.lateHook(done)
	}
	if err != nil {
		r.logHook(hook, job.closing, err)
	}
}

// lateHook returns the error of a hook whose context has ended, which may be
// because it has just returned.
func (r *Registry) lateHook(done <-chan error) error {
	select {
	case err := <-done:
		return err
	default:
	}
	r.countLate(1)
	go func() {
		<-done
		r.countLate(-1)
	}()
	return errors.New("it has not returned within its bound")
}

func (r *Registry) countLate(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.teardown.late += n
}

func (r *Registry) forget(s *record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sessions, s.id)
	delete(r.teardown.waiting, s)
}

// interrupt asks the host to end the session's turn.
func (r *Registry) interrupt(id string) {
	if r.opts.Interrupt == nil {
		return
	}
	go func() {
		ctx, cancel := r.within(r.opts.InterruptBound)
		defer cancel()
		if err := r.opts.Interrupt(ctx, id); err != nil {
			r.logInterrupt(id, err)
		}
	}()
}

// within returns a context that ends after the bound, by the registry's clock.
func (r *Registry) within(bound time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	timer := r.opts.Clock.AfterFunc(bound, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(context.Canceled)
	}
}

// Shutdown stops the reapers and waits until the sessions that were closed before
// are torn down, or ctx is done. It closes no session: whoever holds the
// sessions after this process restores them. Hooks that have overrun their bound
// are not waited for. A second Shutdown waits too.
func (r *Registry) Shutdown(ctx context.Context) error {
	r.shutDown()
	select {
	case <-r.teardown.idle:
		return nil
	default:
	}
	select {
	case <-r.teardown.idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for sessions to be torn down: %w", ctx.Err())
	}
}

func (r *Registry) shutDown() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shut {
		return
	}
	r.shut = true
	r.stopTimer()
	if r.teardown.workers == 0 {
		close(r.teardown.idle)
	}
}
