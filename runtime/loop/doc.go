// Package loop runs callbacks one after another on one goroutine, and says so
// when one of them holds the others up.
//
//	events := loop.New()
//	go func() { done <- events.Run(ctx) }()
//
//	events.Post(func() { sessions[id] = session })        // never blocks
//	events.Every(time.Second, func() { redraw(sessions) }) // on the loop
//
// State that only callbacks touch needs no lock. The price is that no callback
// may wait: while one reads a file on a slow disk, nothing else happens. Work
// that can wait goes through [Offload], which runs it in a bounded pool and
// brings its result back onto the loop:
//
//	loop.Offload(events,
//		func(ctx context.Context) ([]byte, error) { return os.ReadFile(name) },
//		func(data []byte, err error) { show(data, err) })
//
// Everything that is handed to the package runs on the loop, with three
// exceptions: the work of Offload runs in the pool, and the functions given to
// [WithOnStall] and [WithOnWedge] run on the goroutine that called [Loop.Run].
//
// # Order and bounds
//
// Posted callbacks run in the order in which they were posted. Timers run in
// the order of their deadlines. Where both are due they take turns, so neither
// a busy queue nor a busy timer starves the other.
//
// The queue is bounded ([WithQueue]). A full queue refuses: Post returns
// [ErrFull] and the callback is not kept. It drops nothing it has accepted, and
// it never makes the caller wait. What Offload has accepted always finds room
// to come back.
//
// # The watchdog
//
// Run itself watches the loop from outside. A callback that holds the loop
// longer than a threshold ([WithStallAfter]) is reported while it does so: with
// the stack of the loop's goroutine at that moment, where the callback was
// posted, and for how long it has run. A second report gives the total when it
// ends. While the loop is idle the watchdog sleeps too.
//
// A loop that runs nothing any more is another matter. A probe is posted every
// 30 s; one that has not run 10 s later is a strike, and 3 strikes in a row mean
// that the loop is wedged: all stacks are written to standard error and Run
// returns a [*WedgedError] ([WithProbe], [WithOnWedge]). What follows is the
// program's choice; one that is restarted by its supervisor exits, by custom
// with code 75 (EX_TEMPFAIL of sysexits.h):
//
//	if _, wedged := errors.AsType[*loop.WedgedError](err); wedged {
//		os.Exit(75)
//	}
//
// A machine that gives the process no time looks like a stall from inside. The
// watchdog tells them apart by its own alarm: if that came late too, nobody ran,
// and the report says [Stall.Starved] and counts no strike.
//
// [Loop.Stats] has histograms of how long callbacks waited and how long they
// ran. They cost no allocation and are always on.
//
// # What escapes it
//
// Go cannot stop a goroutine from outside. After a *WedgedError the callback
// that holds the loop goes on, with whatever locks it has.
//
// A callback that is stuck in a loop of its own without a call or a channel is
// reported like any other, and so is one in a system call; one in C code shows
// the Go frame that called it.
//
// Taking a stack stops all goroutines for as long as the runtime needs to walk
// them: about a millisecond for a thousand. Stacks are therefore taken once a
// second at most, and reports in between have none.
package loop
