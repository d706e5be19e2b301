// Package eventloop is a stub.
package eventloop

import (
	"time"

	"github.com/dop251/goja"
)

type (
	Timer    struct{}
	Interval struct{}
	Option   func(*EventLoop)
)

type EventLoop struct{}

func NewEventLoop(opts ...Option) *EventLoop { return &EventLoop{} }

func (loop *EventLoop) SetTimeout(fn func(*goja.Runtime), timeout time.Duration) *Timer { return nil }
func (loop *EventLoop) SetInterval(fn func(*goja.Runtime), timeout time.Duration) *Interval {
	return nil
}
func (loop *EventLoop) Run(fn func(*goja.Runtime))            {}
func (loop *EventLoop) RunOnLoop(fn func(*goja.Runtime)) bool { return true }
func (loop *EventLoop) Start()                                {}
func (loop *EventLoop) Stop() int                             { return 0 }
func (loop *EventLoop) StopNoWait()                           {}
