// Package loopblock defines an analyzer that reports blocking work on
// event-loop goroutines, however deep the call is.
package loopblock

const doc = `report blocking work on event-loop goroutines`
