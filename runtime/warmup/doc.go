// Package warmup starts work that is slow and not needed yet when the first
// one who needs it comes, and once.
//
// A program that has to find its tool servers, load a model or fill a cache is
// slow to start if it does so first, and slow to answer if it does so last.
// A [WarmUp] is armed at the start, which costs nothing, and fired by the
// first client that connects or by the first use of what it makes:
//
//	tools := warmup.Arm(ctx, discover, warmup.Options{Configured: config.HasToolServers})
//	...
//	tools.Trigger()           // a client has connected: begin, do not wait
//	...
//	err := tools.Wait(ctx)    // an agent is built: begin if need be, and wait
//
// # What it promises
//
// The work runs at most once at a time and, unless retries are asked for, once
// in all, however many triggers race.
//
// [WarmUp.Trigger] does not wait: the work runs in a goroutine of its own.
//
// A trigger that finds nothing configured is not spent: a later one, when there
// is something to warm up, fires.
//
// An error is kept and given to all who wait. With [Options.Retry], the next
// trigger after an error runs the work again; nothing retries by itself.
//
// # What escapes it
//
// The work has to heed its context. One that does not goes on after the
// context given to [Arm] has ended, and [WarmUp.Wait] returns without it.
//
// A panic in the work ends the program, as in any goroutine.
package warmup
