// Package app is a stub.
package app

import "gioui.org/io/event"

type Window struct{}

type FrameEvent struct{}

func (FrameEvent) ImplementsEvent() {}

type DestroyEvent struct{ Err error }

func (DestroyEvent) ImplementsEvent() {}

func (w *Window) Event() event.Event { return nil }
func (w *Window) Run(f func())       {}
func (w *Window) Invalidate()        {}

func Main() {}
