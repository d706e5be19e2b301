// Package schedule runs turns of a session again and again: a loop until it is
// done, a heartbeat for ever. It does so through restarts, kills, sleeps and disks
// that hang, and each tick once.
//
//	store, err := schedule.NewFiles(dir)
//	engine, err := schedule.New(schedule.Options{Store: store, Local: driver, Changed: sessions.Recheck})
//	...
//	every, err := schedule.ParseInterval("every 1h30m")
//	_, err = engine.Create(ctx, id, schedule.Spec{Kind: schedule.Loop, Every: every, Prompt: prompt})
//
// # When a tick is due
//
// The first is due at once, and each other an interval after the one before has
// ended. So there is one tick at most that is due, whatever has been missed: while
// the machine slept, while no process ran, or while the session was busy.
//
//	loop, fixed       at least 30 s ([Floor]), a shorter interval is raised to it
//	loop, self-paced  60 s, twice as long each time while the answers say the same,
//	                  up to 900 s; 60 s again when one says something new
//	heartbeat         at least 60 s ([HeartbeatFloor]), a shorter one is refused
//	cron              when the expression says, at least [Floor] apart; see package cron
//
// Two answers say the same if they differ in dates, times, durations, case and white
// space only.
//
// A loop is done after its Times, when its answer has LOOP_COMPLETE or its Until
// alone on a line, or when its driver says so. After a budget of ticks
// ([DefaultBudget]) it is paused and waits to be resumed, so that one that nobody
// thinks of any more does not run for ever.
//
// # Each tick once
//
// A tick is three writes: it is claimed, it is started, it has ended. The claim is
// made by the store in one step with the look at whether the tick is due, so of all
// engines in all processes one has it, and of the two drivers one.
//
// Kill the process anywhere, and the next one finds what was written. A claim whose
// owner is gone and which was not started is given back: nothing has run. One that
// was started counts, for its turn may have done anything; it does not run again.
// In both cases the next tick is due an interval after the claim, so a turn that
// kills its process does not do so in a hot loop.
//
// # What it promises
//
// A schedule does not wait for another: each tick has a goroutine of its own, and
// no lock is held while a store, a driver or a callback is at work. A store that
// fails is tried again every 5 s; a tick that cannot be claimed is not run, and what
// cannot be written of one that has run is not given up while the process lives.
//
// One timer of the system serves all schedules. It comes once a minute while there
// are any, which is how a sleep of the machine is noticed, and not at all otherwise.
//
// # Sessions
//
// [Engine.SoleEngine] tells a session registry which sessions have nobody else to
// run their schedules. A schedule with a Route has an external driver, which may
// live in another process: it does not need the session. Package session asks this
// before it closes a session, and [Options.Changed] tells it when the answer has
// changed.
//
// When the id of a session changes, [Engine.Rename] takes its schedules along. A
// kill in the middle leaves a move that the next start finishes.
//
// # What escapes it
//
// A turn that was started when its process was killed may have run in part, in
// whole or not at all. It is not run again; whoever needs to know looks at the
// effects.
//
// A claim whose owner cannot be told to be dead stays, and so does one whose end
// could not be written when its engine was closed, until the process ends. On
// systems without process identities (anything but Linux, macOS and Windows), a
// folder belongs to one process.
//
// A wall clock that is set forward makes ticks due early. One that is set back puts
// them off by one interval at most.
//
// A schedule that is changed in the store by another process is noticed with its
// next tick; one that is resumed there has to be opened again here.
//
// A disk that hangs hangs the goroutine of the tick, and what called a method that
// says that it waits for the store.
package schedule
