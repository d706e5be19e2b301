// Package lease says which processes hold a session.
//
// A session (a conversation, a workspace, a job) can be open in several
// processes of a machine at once, or must not be. A [Directory] is where they
// tell each other: a lease is one file, named after the session and the
// identity of the process that holds it.
//
//	leases, err := lease.Open(dir)
//	...
//	if err := leases.Acquire(ctx, session, lease.Exclusive); errors.Is(err, lease.ErrHeld) {
//		return err // says who holds it
//	}
//	defer leases.Release(context.WithoutCancel(ctx), session)
//
//	clock.Every(lease.RefreshPeriod, func(ctx context.Context) {
//		if err := leases.Refresh(ctx); err != nil { ... }
//	})
//	...
//	for _, l := range leases.Of(session) { ... } // as often as you like
//
// # What it promises
//
// A lease lives as long as its process: no heartbeat keeps it, and no age ends
// it. A process is its boot, its number and its start time ([procid.Identity]),
// so a stranger that has the number now holds nothing.
//
// [Directory.Of] and [Directory.All] answer from memory. All looking at other
// processes is done by [Directory.Refresh], which asks once for each process,
// in one batch, however many leases it holds and however many ask. A lease of
// this very process costs no probe at all.
//
// Of several processes that acquire one session, and one of them as
// [Exclusive], at most one kind succeeds: each announces its lease first and
// looks for others after that. No lock is taken, and nobody waits for anybody.
//
// Only a lease whose process is provably dead is removed. One that cannot be
// looked at holds its session.
//
// # What escapes it
//
// Two that acquire at the same moment can both be refused; who has to have the
// session tries again.
//
// Of and All are as old as the last Refresh. Acquire looks anew.
//
// A process keeps its identity and its leases over exec. Within a process, a
// lease belongs to all of it.
//
// The directory has to be on a local file system, for one user, and the
// processes in one PID namespace: leases of another one are never known to be
// dead before the machine restarts.
package lease
