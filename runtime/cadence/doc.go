// Package cadence runs many polls on one clock, and none while nobody looks.
//
// A poll asks again and again whether something has changed: a mailbox, the
// leases of a session, the state of a job that a pane shows. A program that
// lives long collects them, each with a timer of its own, and pays for all of
// them when nothing happens. A [Cadence] is the one timer for all:
//
//	c := cadence.New(cadence.Options{})
//	defer c.Close(ctx)
//	poll, err := c.Every(5*time.Second, func(ctx context.Context) {
//		refresh(ctx)
//	})
//	...
//	poll.Visible(false) // the pane is covered: no call
//	poll.Visible(true)  // one call now, then every 5 s
//
// # What it promises
//
// Polls of an equal period share a tick, and all ticks lie on one grid that
// starts with [New], so that a period of 10 s shares every second tick of one
// of 5 s. The machine wakes once for all of them. Ticks of unlike periods that
// come close together are put off by a twentieth of their period at most and run
// together, unless [Options.Exact] is set; never is one early.
//
// A poll is never run twice at once. A tick that finds the poll still running
// is dropped, and counted by [Poll.Overruns].
//
// A poll runs at its ticks and when it is revealed, and at no other time. What
// else happens (polls that come, go, hide or show themselves, a poll that
// returns) moves no tick.
//
// A hidden poll costs nothing: it is on no tick, and a period whose polls are
// all hidden does not wake the machine.
//
// Ticks that were missed, because the machine was too busy, are not made up
// for: the next run is at the next tick.
//
// # What escapes it
//
// Each run has a goroutine of its own, so a slow poll does not delay another.
// A thousand polls on one tick are a thousand goroutines at once; a poll that
// must not compete with the others has to wait for its turn itself. A run
// that wants to be on an event loop hands its work to it and waits there.
//
// The clock is the monotonic one. Where it stops while the machine sleeps
// (Linux, macOS), a poll is late by the sleep.
//
// A panic in a poll ends the program, as in any goroutine.
package cadence
