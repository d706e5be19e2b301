// Package loopblock defines an analyzer that reports blocking work on
// event-loop goroutines, however deep the call is.
//
// # Analyzer loopblock
//
// loopblock: report blocking work on event-loop goroutines
//
// An event loop is one goroutine that everybody else waits for. What runs on it
// must not wait for a disk, a network, another process, a database or itself:
//
//	ui/model.go:88:14: Update runs on Bubble Tea's loop and waits on disk: SetTheme (theme.go:41) → saveConfig (config/config.go:210) → os.WriteFile (loop-block)
//
// The finding stands at the call on the loop where the chain begins. Each hop is
// a function with the line in it from which the chain goes on. There is one
// finding for each piece of code on a loop and each kind of blocking work: the
// shortest chain.
//
// # What runs on a loop
//
//   - what the frameworks in package frameworks say: Bubble Tea, tview, gocui,
//     tcell, Fyne, Gio, Ebitengine, GTK, Wails, gnet, evio, nbio, netpoll, raft,
//     memberlist, serf, quic-go, NATS, paho, goja, client-go,
//     controller-runtime; by methods, callbacks, fields, conversions and channels
//   - functions given to github.com/holdfast-go/holdfast/runtime/loop
//   - functions with the directive //holdfast:loop, and what is given for
//     parameters, stored in fields or converted to function types that have it;
//     of a function with a loop that receives, that loop
//   - functions given to helpers that put them on one of these, in any package
//
// # What blocks
//
// For the standard library, and for modules whose bodies cannot show it, package
// roots lists what blocks by kind: disk, fsync, net, dns, exec, wait, sleep, flock,
// db and self are looked for; stat, lock and stdio only with -loopblock.kinds.
// Everything else is as blocking as what its body calls. Followed are calls,
// deferred calls, the arguments of go statements, function values in variables,
// fields, maps, slices, channels, parameters and results, method values and
// expressions, callbacks of sync.Once, sort, slices and filepath, and methods of
// interfaces of the module: of up to 8 types that implement one, in this package
// or any that it imports, without stand-ins for tests; of any number, where a
// method that speaks of a framework's types is called on each of a collection;
// of one, where the interface takes the method over from a framework's. What
// implements an interface in a package that the loop's does not import is found
// by a package main that imports both, at whatever distance; the finding still
// stands at the loop. What sync.Once runs is reported as "first time only", and
// not at all if it is a dependency's. Branches that no run of the build takes,
// and those for tests, are left out; lines for a log of the program's own are of
// kind stdio.
//
// # Hand-written loops
//
// With -loopblock.auto, a for-select loop is advised to say what it is if it may
// wait and looks like an event loop: several kinds of events come to it, or one
// that brings the channel for its answer, or one that many branches tell apart.
// Left out are workers, of whose cases most or all wait, loops of a pool, of one
// connection, stream or request, and those in main. The rule's page has the
// numbers.
//
// # Bounds
//
// Chains have at most 8 functions (-loopblock.depth). Of a function with more
// than 50,000 calls the rest is not followed, and a note says so (category
// loop-advice, which fails nothing). A variable is taken to hold at most 200
// functions.
//
// # Facts
//
// A package exports one fact with a summary of each of its functions, variables
// and fields that matter, one with its types' methods that block, and one with
// the methods of interfaces that its loops call, all in a compact form with one
// table of strings.
package loopblock

const doc = `report blocking work on event-loop goroutines

The analyzer follows the calls that a framework's callbacks, or functions with
the directive //holdfast:loop, make on their goroutine, across packages and
through interfaces of the module, and reports the shortest chain to each kind of
blocking work: disk, fsync, net, dns, exec, wait, sleep, flock, db, and self, a
wait of the loop for itself.

A line of the chain is accepted for all its callers with a marker:

	data, err := os.ReadFile(path) // loop-block: ok — 200 bytes from tmpfs, read before the first frame

With -loopblock.auto, hand-written loops that look like event loops get advice
to say what they are.`
