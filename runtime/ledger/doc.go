// Package ledger remembers who started what, so that somebody can clean up
// after a program that was killed before it could.
//
// Every owner, which is a process that starts others, has one file of its own
// in a directory that all owners of a user share. A child is one row when it
// starts and one when it ends:
//
//	l, err := ledger.Open("", procid.Self())
//	...
//	err = l.Append(ledger.Entry{Event: ledger.EventStart, Process: child, Group: child.PID})
//
// [Read] gives the files of all owners, living and dead, with the children
// that have not ended.
//
// # What it promises
//
// No row is lost to another owner, and no owner waits for another, because no
// two processes write one file. There is no shared read, change and write.
//
// A row is one write to a file opened for appending. If the owner is killed in
// the middle of it, the rows before are whole, and the next reader reports the
// cut one. The ledger is not written through to the disk: it describes
// processes, and those do not survive the loss of power either.
//
// An owner holds an exclusive lock on its file (flock(2); LockFileEx on
// Windows) as long as it lives. Readers never wait for it: they test it. The
// lock alone does not make an owner alive: it belongs to the open file, which
// a process that was forked and did not exec keeps open after its parent's
// death. Whether an owner lives is decided by its identity ([procid.Identity])
// first, and by the lock where the identity cannot be looked up from here, as
// in another PID namespace. The file is closed on exec, so children that are
// started through os/exec never hold it.
//
// An owner's file stays small: when it holds more rows of ended children than
// of others, it is written anew beside the old one and renamed over it. It is
// removed by [Ledger.Close] if nothing is left to remember, or by [Remove]
// once the owner and everything in it is gone.
//
// Files have mode 0600 and their directory 0700. A file that belongs to
// another user is reported and not believed.
//
// # What escapes it
//
// A child that is not noted is not remembered: a row is written after the
// start, since a process has no identity before. A directory that machines
// share over a network says nothing of the processes of the other machines;
// keep it on a local disk. Windows does not replace a file that is open, so a
// file is not made smaller there.
package ledger
