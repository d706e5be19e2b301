// Package errgroup is a stub.
package errgroup

type Group struct{}

func (g *Group) Go(f func() error)         {}
func (g *Group) TryGo(f func() error) bool { return true }
func (g *Group) SetLimit(n int)            {}
func (g *Group) Wait() error               { return nil }
