// Package lockowner says which process holds a SQLite database's lock.
//
// "database is locked" names nobody. On Linux the kernel knows, and tells
// everybody in /proc/locks: [Find] reads it, picks the write locks on the
// database, its -wal and its -shm file, and says in SQLite's words what each
// of them is.
//
//	if isBusy(err) {
//		report, findErr := lockowner.Find(ctx, path)
//		logger.Warn("the database is locked", "holders", report, "error", findErr)
//	}
//
// # What it promises
//
// The database is never opened. A POSIX lock belongs to the process, not to
// the descriptor: closing any descriptor of a file drops all locks that the
// process has on it (fcntl(2)), so a diagnostic that opened the database would
// break the transactions of its own process.
//
// Only locks that keep others from writing are reported. Everybody who has a
// database in WAL mode open holds read locks on it, and they block nobody.
//
// A process is called a holder only if the kernel says so. Where the system
// does not say who holds a lock, those that have the file open are reported as
// candidates, each marked as one, and an empty report is no proof of anything.
//
// Command lines can hold secrets, and no two are alike. They are in
// [Holder.Command] and in what [Report.LogValue] gives to a log, and never in
// [Report.String], which is fit for an error. Neither is ever a reason to end a
// process: the number may be another's by then.
//
// # What escapes it
//
// A lock that is released and taken again between two looks is not seen, so
// ask right after the error. An answer costs three reads of /proc/locks, which
// grow with the locks of the whole machine.
//
// The kernel exports no process for an open file description lock (OFD). SQLite
// takes none; a holder of one is reported without a process.
//
// Locks of processes outside this PID namespace are hidden by the kernel, and
// those of other clients of a network file system are known to its server
// only. SQLite's other locking styles (unix-dotfile, unix-flock) take no POSIX
// locks.
//
// A file system can have one device number for stat(2) and another one for
// /proc/locks (btrfs, overlayfs). Find then takes the number of the mount from
// /proc/self/mountinfo and looks into the descriptors of the process it found.
// Where it may not, the holder is reported as a candidate.
//
// # Systems
//
// On Linux holders come from /proc/locks. On macOS and other Unix systems
// candidates come from lsof(8), and on Windows from the Restart Manager.
package lockowner
