// Package rate is a stub.
package rate

import "context"

type Limiter struct{}

func (lim *Limiter) Allow() bool                          { return true }
func (lim *Limiter) Wait(ctx context.Context) (err error) { return nil }
