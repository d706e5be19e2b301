// Package gnet is a stub.
package gnet

import (
	"context"
	"io"
	"net"
	"time"
)

type (
	Action int
	Engine struct{}
	Option func()
)

const None Action = 0

type Reader interface {
	io.Reader
	io.WriterTo
	Next(n int) (buf []byte, err error)
	Peek(n int) (buf []byte, err error)
	Discard(n int) (discarded int, err error)
	InboundBuffered() int
}

type Writer interface {
	io.Writer
	io.ReaderFrom
	Writev(bs [][]byte) (n int, err error)
	Flush() error
	AsyncWrite(buf []byte, callback AsyncCallback) (err error)
}

type AsyncCallback func(c Conn, err error) error

type Runnable interface {
	Run(ctx context.Context) error
}

type RunnableFunc func(ctx context.Context) error

func (fn RunnableFunc) Run(ctx context.Context) error { return fn(ctx) }

type EventLoop interface {
	Execute(ctx context.Context, runnable Runnable) error
	Schedule(ctx context.Context, runnable Runnable, delay time.Duration) error
	Close(Conn) error
}

type Conn interface {
	Reader
	Writer
	Context() (ctx any)
	EventLoop() EventLoop
	LocalAddr() net.Addr
	RemoteAddr() net.Addr
	Wake(callback AsyncCallback) error
	CloseWithCallback(callback AsyncCallback) error
	Close() error
	SetDeadline(time.Time) error
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

type EventHandler interface {
	OnBoot(eng Engine) (action Action)
	OnShutdown(eng Engine)
	OnOpen(c Conn) (out []byte, action Action)
	OnClose(c Conn, err error) (action Action)
	OnTraffic(c Conn) (action Action)
	OnTick() (delay time.Duration, action Action)
}

type BuiltinEventEngine struct{}

func (*BuiltinEventEngine) OnBoot(_ Engine) (action Action)              { return }
func (*BuiltinEventEngine) OnShutdown(_ Engine)                          {}
func (*BuiltinEventEngine) OnOpen(_ Conn) (out []byte, action Action)    { return }
func (*BuiltinEventEngine) OnClose(_ Conn, _ error) (action Action)      { return }
func (*BuiltinEventEngine) OnTraffic(_ Conn) (action Action)             { return }
func (*BuiltinEventEngine) OnTick() (delay time.Duration, action Action) { return }

func Run(eventHandler EventHandler, protoAddr string, opts ...Option) error { return nil }
