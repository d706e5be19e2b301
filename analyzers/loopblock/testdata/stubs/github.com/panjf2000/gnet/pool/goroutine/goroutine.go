// Package goroutine is a stub.
package goroutine

type Pool struct{}

func Default() *Pool { return &Pool{} }

func (p *Pool) Submit(task func()) error { return nil }
