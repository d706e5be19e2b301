// Package status keeps a small JSON file that says how a program is, for other
// programs and people to read, without ever making the program wait for a disk.
//
//	state := status.New("/run/gateway/status.json")
//	state.Publish(
//		status.String("state", "running"),
//		status.Int("platforms/telegram/agents", 3))
//	...
//	err := state.Close(ctx, status.String("state", "stopped"))
//
// # Publish and forget
//
// [Writer.Publish] changes a snapshot in memory and returns: no I/O, no
// allocation for a field that exists, and no lock that anybody holds during I/O.
// It may be called on an event loop. One goroutine writes the newest snapshot to
// the file. While it writes, all that is published becomes one next write, so a
// disk that hangs costs two writes and not a thousand; and writes are at least
// [WithInterval] apart.
//
// [Writer.Write], [Writer.Flush] and [Writer.Close] wait until the disk has what
// was published, within a bound. Reaching the bound takes nothing back: the
// update stays queued and is written when the disk answers.
//
// # A file of many
//
// The file belongs to everybody who has something to say in it. Before each
// write it is read again, and the snapshot is laid over it path by path: fields
// of other processes and unknown fields stay as they are, to the digit, inside
// nested objects too. Two values at one path are decided for the publisher; a
// path belongs to one process.
//
// Processes that use this package take turns by a lock on a file beside it
// (".NAME.lock"), waiting 2 s at most. Those that do not, such as an editor that
// replaces the file, lose nothing either: on Linux the old and the new file
// change places in one step, and what turns out to have been put there in the
// meantime is merged and written again. If such a program puts back an old
// value of a published field, it is repaired within 5 s ([WithRecheck]).
//
// The file is replaced as a whole, with mode 0600: a reader sees the old or the
// new one, even if the writer is killed half-way. A file that is not a JSON
// object is kept aside as NAME.corrupt and reported, never emptied. One that is
// larger than 16 MiB is refused.
//
// # Who is alive
//
// The time of the last change says nothing: a program that is well may have
// nothing to report. Each Writer publishes the identity of its process, which
// [Document.Process] reads:
//
//	document, err := status.Read("/run/gateway/status.json")
//	id, err := document.Process("process")
//	if id.State() == procid.Gone {
//		// Whatever the other fields say, it is not running.
//	}
//
// # Failures
//
// A write that fails is logged once, at level Warn, and then tried again after a
// second, two, four, up to 30 s, and with every Write or Flush. Recovery is
// logged once, at level Info. The newest state wins. A disk that has not
// answered for 5 s counts as a failure until it does.
//
// # What escapes it
//
// A goroutine that hangs in the kernel with its disk cannot be ended: after a
// Close that reached its bound it is still there.
//
// A program that opens the file and writes into it in place can be read half-way
// (which is retried for 100 ms, and kept aside then), and what it writes after
// the file was replaced is gone with the old file. On systems without an atomic
// exchange (anything but Linux), a change by a program that takes no part in the
// lock is lost if it falls between the last look and the replacement, a few
// microseconds. A kill between the exchange and the merge loses such a change
// too.
package status
