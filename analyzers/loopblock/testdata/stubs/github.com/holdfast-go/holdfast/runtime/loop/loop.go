// Package loop is a stub: runtime/loop is written later than these cases.
package loop

import "context"

// A Loop runs the functions given to it on one goroutine.
type Loop struct{}

// Post queues f.
func (l *Loop) Post(f func()) error { return nil }

// Offload runs work in a pool and done with its result on the loop.
func Offload[T any](l *Loop, work func(context.Context) (T, error), done func(T, error)) error {
	return nil
}
