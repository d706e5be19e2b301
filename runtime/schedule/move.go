package schedule

import (
	"context"
	"errors"
	"fmt"
)

// Rename moves the schedules of a session to its new id, and goes on driving them.
// A tick that runs ends there. If the process dies on the way, [Engine.Sessions]
// and [Engine.Open] finish the move. The error wraps [ErrNotFound] if there is
// nothing to move and [ErrExists] if the new id has schedules already. Rename waits
// for the store.
func (e *Engine) Rename(ctx context.Context, from, to string) error {
	if err := e.rename(ctx, from, to); err != nil {
		return fmt.Errorf("moving the schedules of session %q to %q: %w", from, to, err)
	}
	e.changed(from)
	e.changed(to)
	return nil
}

func (e *Engine) rename(ctx context.Context, from, to string) error {
	if from == "" || to == "" || from == to {
		return errors.New("want two sessions")
	}
	err := e.opts.Store.Update(ctx, from, func(d *Document) error {
		switch {
		case d.empty():
			return ErrNotFound
		case d.MovedTo != "" && d.MovedTo != to:
			return errMoved
		}
		d.MovedTo = to
		return nil
	})
	if err != nil {
		return err
	}
	return e.finishMove(ctx, from)
}

// finishMove does what is left of a move: copy, then remove. Every step may have
// been done before, also by another process.
func (e *Engine) finishMove(ctx context.Context, from string) error {
	moving, err := e.opts.Store.Read(ctx, from)
	if errors.Is(err, ErrNotFound) || err == nil && moving.MovedTo == "" {
		return nil // somebody has finished it
	}
	if err != nil {
		return err
	}
	err = e.opts.Store.Update(ctx, moving.MovedTo, func(d *Document) error {
		return d.receive(moving)
	})
	if errors.Is(err, ErrExists) {
		return errors.Join(err, e.closeMove(ctx, moving, func(d *Document) { d.MovedTo = "" }))
	}
	if err != nil && !errors.Is(err, errUnchanged) {
		return err
	}
	e.rekey(from, moving.MovedTo) // before nothing is left at the old id
	return e.closeMove(ctx, moving, func(d *Document) { d.Schedules, d.MovedTo = nil, "" })
}

// receive takes over the schedules of a document that moves here.
func (d *Document) receive(moving Document) error {
	for kind, s := range moving.Schedules {
		if own := d.Schedules[kind]; own != nil && own.ID == s.ID {
			return errUnchanged // they have arrived before, and may have gone on
		}
	}
	if len(d.Schedules) > 0 || d.MovedTo != "" {
		return ErrExists
	}
	d.Schedules = moving.Schedules
	return nil
}

// closeMove changes a document that is still the one that moves.
func (e *Engine) closeMove(ctx context.Context, moving Document, change func(*Document)) error {
	err := e.opts.Store.Update(ctx, moving.Session, func(d *Document) error {
		if d.MovedTo != moving.MovedTo {
			return errUnchanged
		}
		change(d)
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

func (e *Engine) openMoved(ctx context.Context, session string, document Document) error {
	err := e.finishMove(ctx, session)
	if err != nil && !errors.Is(err, ErrExists) {
		return fmt.Errorf("opening the schedules of session %q: %w", session, err)
	}
	to := document.MovedTo
	if err != nil {
		to = session // it stays where it is
	}
	return e.Open(ctx, to)
}

// Sessions finishes moves that were cut short, and returns the sessions that have
// schedules. Call it at the start, and Open those that this process is to drive.
// An error about one session does not keep it from returning the others. Sessions
// waits for the store.
func (e *Engine) Sessions(ctx context.Context) ([]string, error) {
	before, err := e.opts.Store.Sessions(ctx)
	problems := []error{err}
	for _, session := range before {
		document, err := e.opts.Store.Read(ctx, session)
		if err == nil && document.MovedTo != "" {
			problems = append(problems, e.finishMove(ctx, session))
		}
	}
	after, err := e.opts.Store.Sessions(ctx)
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		return after, fmt.Errorf("listing the sessions with schedules: %w", err)
	}
	return after, nil
}

func (e *Engine) rekey(from, to string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, kind := range []Kind{Loop, Heartbeat} {
		it := e.items[key{from, kind}]
		if it == nil {
			continue
		}
		delete(e.items, it.key)
		it.key = key{to, kind}
		e.items[it.key] = it
	}
}
