// Package session closes the sessions that nobody needs any more, and none that
// somebody does.
//
// A server that keeps a session for each client loses clients without a word: a
// laptop is closed, a network is gone, a tab crashes. What is kept for them has to
// go at some time, but not while the client is just changing its network, while
// a turn of work runs, or while a schedule of the session has only this process
// to run it. A [Registry] decides that:
//
//	r, err := session.New(session.Options{Schedules: engine, Interrupt: interrupt, Hooks: hooks})
//	...
//	r.Add(id)
//	client, err := r.Connect(id) // a socket was opened
//	client.Drop()                // it is gone: the grace begins
//
//	turn, err := r.BeginTurn(id)
//	defer turn.End()
//
// # Three reapers
//
// The orphan reaper takes a session whose client does not come back within the
// grace ([DefaultGrace]). A turn that runs then is left alone while it makes
// progress ([DefaultActivityStale]); after that it is interrupted once, and the
// session ends when the turn does, or by force a minute later.
//
// The TTL reaper takes a session without a client that was idle for too long
// ([DefaultTTL]), for programs whose orphans are kept ([Never]).
//
// The cap evicts the sessions that were left the longest ago while there are more
// than [Options.MaxLive].
//
//	                        orphan        TTL     cap
//	client connected        kept          kept    kept
//	sole engine (below)     kept          kept    kept
//	turn                    see above     kept    kept
//	[Delegation]            kept          kept    kept
//	other [HoldKind]        not kept      kept    kept
//
// # One question first
//
// On all three paths the first question is whether this process is the only
// engine of a live schedule of the session ([Schedules.SoleEngine]). If so, it is
// kept: closing it would end the schedule in silence. There are two exceptions,
// and without them a session could be immortal:
//
//   - A store that cannot be read, or does not answer in time, is a no.
//   - A session whose turn was interrupted because its client was gone ends, with
//     or without a schedule. Nobody can get into it any more: clients are refused
//     with 4009 and so is a schedule's turn.
//
// Call [Registry.Recheck] when a schedule is paused or has ended, and the session
// is looked at anew at once; without that, at the next scan.
//
// # What it promises
//
// A session without a client always has a timer. There is one function that
// derives it from the state of the session, and everything that changes the
// state calls it. Each scan makes sure of that none the less.
//
// What was decided for one state of a session is not done to another. Between the
// question and the deed the session may have changed; then nothing is done, and
// it is looked at anew.
//
// Time in which the process did not run is no part of any grace, be it that the
// machine slept or that the process was stopped.
//
// No method waits for a store, a hook, an interrupt or another session, but for
// those that say so.
//
// # Cost
//
// One timer of the system serves all sessions. A registry in which nothing is due
// costs nothing; what is due costs O(log n) a session. With a session without a
// client the timer comes once for each scan, which is a comparison.
//
// A session costs 96 bytes, its share of a map and, without a client, 16 bytes in
// a queue (twice that with a cap): 150 to 190 bytes in all beyond the id itself, as
// BenchmarkMillion measures it.
//
// # The log
//
// Every decision is a log record with the message [Decided] and the attributes
// "session", "decision", "reason" and, for what waits, "next". A session that is
// closed adds "reaper", "code" and "idle". Levels: Debug for what changes nothing
// yet, Info for a closed session, Warn for an interrupt, a lost timer and a store
// that cannot be read, Error for a turn that had to be given up. A handler that
// waits delays who called the method, and nobody's lock.
//
// [Registry.Explain] tells the same about one session at any time.
//
// # What escapes it
//
// Go cannot end a goroutine from outside. A hook, an interrupt or a store that
// hangs is not waited for after its bound, but stays.
//
// A turn whose [Turn.End] is never called is a turn that runs: it is interrupted
// once it is silent, but in a session that is spared for its schedule only when
// the schedule ends.
//
// The registry is a memory of this process. Who comes after it calls
// [Registry.Restore] for the sessions that it finds.
//
// A sleep is noticed by a timer that comes too late. Where the clock goes on
// meanwhile (Windows, and a SIGSTOP anywhere), one that ends before anything is
// due is not, and counts.
//
// A process that is starved for more than 5 s at the moment when a timer is due
// takes that for a sleep, and a grace begins anew.
package session
