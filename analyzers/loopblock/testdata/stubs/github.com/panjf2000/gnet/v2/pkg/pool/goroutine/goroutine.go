// Package goroutine is a stub.
package goroutine

import "github.com/panjf2000/ants/v2"

type Pool = ants.Pool

func Default() *Pool { return &Pool{} }
