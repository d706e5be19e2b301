// Package owned starts processes that die with the process that started them.
//
//	child, err := owned.Start(exec.Command("llama-server", "--port", "8080"))
//	if err != nil { ... }
//	defer child.Stop(context.Background())
//	...
//	err = child.Wait()
//
// However this process ends (a return from main, os.Exit, a panic, SIGKILL, the
// OOM killer), the child and what it started get SIGTERM and SIGCONT at once,
// and SIGKILL after a grace ([DefaultGrace]). Children that another library
// started are taken in hand by [Own]. A child that is meant to outlive its owner
// is started by [Keep], with a reason, and found again by [Recover].
//
// # How it works
//
// Beside the owner runs a supervisor, a shell script in a session of its own
// that waits on a pipe. The owner has the only other end, so the pipe ends when
// the owner does. The supervisor is started with the first child and closed
// when there has been none for 30 seconds. One that is killed is replaced at
// once, one that is stopped is continued (on Linux), and none of the calls here
// waits for it. Before it signals a process or a group it verifies the start
// time of a process that proves it to be the owner's: a number that was
// recycled is left alone, and so is whatever cannot be proven.
//
// # Tiers, what each promises and what escapes it
//
// [Containment] says which tier is active and why no higher one is.
//
// [Portable], on every POSIX system, holds process groups. It promises that
// everything that is in the group of a child, from the child's first moment on,
// gets its SIGTERM within tens of milliseconds of the owner's death (and 50 ms for each
// GB of the owner's memory, and the writing of its core dump), and is gone a
// fraction of a second after the grace. A child joins a group that was
// registered before the child existed, so a kill of the owner at any moment
// leaves nobody unknown. Descendants in other groups are found as long as their
// parents live. A descendant that starts a session and whose parent ends, a
// daemon, escapes. So does one that sets SysProcAttr.Setsid, between its birth
// and its registration.
//
// [Marks], on Linux with a readable /proc, adds marks that descendants inherit: a
// variable in the environment, a limit on file locks (RLIMIT_LOCKS, which Linux
// does not enforce), the session and the parent. It promises the same for every
// descendant that keeps one mark and that this user may signal. A login
// (su -, sudo -i, ssh) resets them all and escapes, and so does work that is
// handed to another daemon: docker, at, cron, systemd-run. The limit is set right
// after the start, so a descendant that was forked before, emptied its
// environment and lost its parent is missed.
//
// [Cgroup], on Linux with a cgroup v2 that this process may write (root, a
// delegated service), has children be born in a cgroup of their owner, and ends
// it with cgroup.kill. It promises that no descendant survives, whatever it does
// with sessions, environments, forks and stops. What moves itself to another
// cgroup and what other daemons start escapes.
//
// [Job], on Windows, puts children into a job object before they run. The kernel
// ends it with the owner, at once and without a grace. What the task scheduler,
// WMI or a service starts escapes, and elevated processes do.
//
// [Strict] adds, to any tier on Linux, a parent of this process that adopts
// orphans: nothing that descends from this process survives it, daemons and
// logins included, even if the supervisor is killed together with the owner.
//
// In every tier but Strict, an owner and a supervisor that are killed in the
// same instant leave the children alive: nobody is there to end them. The
// ledger remembers them (package ledger), [Orphans] finds them, and "holdfast
// sweep" shows and ends them. The placeholder's input, cgroups and job objects
// are closed by the kernel in any case.
//
// # What has happened when Start returns
//
// The child runs, this process has a handle on it, and the owner's death ends
// it: in the tiers Marks and Cgroup it carries the cookie from its birth on, and
// the limit on file locks since; in Portable it has joined a group that the
// supervisor knew before. On Windows it is in its job.
//
// Within a millisecond there follow, on a goroutine of their own, the child's
// identity, its registration by that with the supervisor, and its row in the
// ledger, which is as late as the disk is. If this process is killed in between,
//   - in Cgroup nothing is different;
//   - in Marks a child that has emptied its environment already, under a hard
//     limit on file locks that leaves no room for a mark, is missed;
//   - in Portable the supervisor ends the group that the child joined: it is
//     proven by the placeholder in it, which leaves when the child is registered,
//     or some seconds after the death of this process;
//   - in all of them, if the supervisor is killed in the same instant, the ledger
//     does not name the child, and "holdfast sweep" finds it by its marks.
//
// The number of the child is its own until somebody waits for it. [Child.Wait]
// and [Child.Stop] leave it that until the identity is read; of a child that
// somebody else has reaped before, nothing is registered (see [WaitElsewhere]).
//
// Without handles on processes (macOS, Linux before 5.4), with [Foreground], and
// for a child in Portable that is in no group of ours (SysProcAttr.Setsid), all
// of it has happened when Start returns, but for the row in the ledger.
//
// At most 4096 rows wait for a disk that stalls. Further ones are lost, and
// [Report] says so; children are owned all the same.
//
// # What a child inherits
//
// A signal that this process ignores (signal.Ignore, not signal.Notify) is
// ignored by its children: one that ignores SIGTERM for this reason ends by
// SIGKILL. Children have no terminal unless they are started with [Foreground].
//
// # Programs that need care
//
// A program that reaps all children (wait4(-1), as an init does) takes the
// status of children from os/exec and from this package, and the identity of
// those that end at once. A cgo library that
// forks without executing anything holds the supervisor's pipe open, so that
// the death of the owner goes unnoticed as long as its child lives. A program
// that replaces itself by exec uses [Handoff].
package owned
