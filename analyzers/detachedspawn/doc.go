// Package detachedspawn defines an analyzer that reports children put out of
// their owner's reach.
//
// # Analyzer detachedspawn
//
// detachedspawn: report child processes that can outlive their owner unnoticed
//
// A program that starts other programs owns them: when it dies, however it
// dies, they should die too. A child in a session or process group of its own
// does not hear its owner's terminal, escapes a group kill, and after a crash
// goes on holding its port, its memory and its locks:
//
//	cmd := exec.Command("llama-server", "--port", "8080")
//	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // finding
//	err := cmd.Start()
//
// The analyzer reports every place where that is asked for: fields of
// syscall.SysProcAttr and Windows creation flags, system calls, detaching
// programs in an argument vector (setsid, nohup, systemd-run, tmux
// new-session -d, …), shell strings that background, daemonising libraries,
// and Process.Release on a child. Helpers that return, fill or hold such
// attributes are followed as facts across packages, and every use of one is a
// finding with the chain to its source.
//
// Start the child with holdfast's owned.Start, which keeps the group kill and
// ends the child when its owner dies. A child that is meant to outlive its
// owner says why, on the line or the line above:
//
//	// detached-spawn: ok — the updater replaces this binary and must outlive it
//
// A helper that takes what it starts in hand, whatever happens, says so once,
// and its callers are clean:
//
//	//holdfast:owns registers the group with the supervisor before it returns
//
// Files that the current build leaves out are judged too, from their source.
// Pdeathsig, credentials, namespaces and hidden windows keep a child within
// reach and are never reported. Tests are left out unless -detachedspawn.tests
// is given; generated and vendored files always are.
package detachedspawn

const doc = `report child processes that can outlive their owner unnoticed

The analyzer reports every place where a child is put out of its owner's
reach: sessions and process groups of its own, Windows creation flags,
detaching programs and shell strings, daemonising libraries, and every use of
a helper that does one of these. Start the child with owned.Start, or say why
it must outlive its owner: // detached-spawn: ok — why`
