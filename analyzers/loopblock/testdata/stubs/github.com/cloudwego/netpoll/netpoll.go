// Package netpoll is a stub.
package netpoll

import (
	"context"
	"net"
)

type Reader interface {
	Next(n int) (p []byte, err error)
	ReadString(n int) (s string, err error)
	Release() (err error)
	Len() (length int)
}

type Connection interface {
	net.Conn
	Reader() Reader
	IsActive() bool
}

type (
	OnPrepare    func(connection Connection) context.Context
	OnConnect    func(ctx context.Context, connection Connection) context.Context
	OnDisconnect func(ctx context.Context, connection Connection)
	OnRequest    func(ctx context.Context, connection Connection) error
)

type Option struct{}

func WithOnPrepare(onPrepare OnPrepare) Option          { return Option{} }
func WithOnConnect(onConnect OnConnect) Option          { return Option{} }
func WithOnDisconnect(onDisconnect OnDisconnect) Option { return Option{} }

type EventLoop interface {
	Serve(ln net.Listener) error
	Shutdown(ctx context.Context) error
}

func NewEventLoop(onRequest OnRequest, ops ...Option) (EventLoop, error) { return nil, nil }
