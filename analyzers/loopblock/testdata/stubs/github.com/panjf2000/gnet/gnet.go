// Package gnet is a stub.
package gnet

import "time"

type (
	Action int
	Server struct{}
	Option func()
)

const None Action = 0

type Conn interface {
	Read() []byte
	AsyncWrite(buf []byte) error
	SendTo(buf []byte) error
	Wake() error
	Close() error
}

type EventHandler interface {
	OnInitComplete(server Server) (action Action)
	OnShutdown(server Server)
	OnOpened(c Conn) (out []byte, action Action)
	OnClosed(c Conn, err error) (action Action)
	PreWrite(c Conn)
	AfterWrite(c Conn, b []byte)
	React(packet []byte, c Conn) (out []byte, action Action)
	Tick() (delay time.Duration, action Action)
}

type EventServer struct{}

func (es *EventServer) OnInitComplete(svr Server) (action Action)               { return }
func (es *EventServer) OnShutdown(svr Server)                                   {}
func (es *EventServer) OnOpened(c Conn) (out []byte, action Action)             { return }
func (es *EventServer) OnClosed(c Conn, err error) (action Action)              { return }
func (es *EventServer) PreWrite(c Conn)                                         {}
func (es *EventServer) AfterWrite(c Conn, b []byte)                             {}
func (es *EventServer) React(packet []byte, c Conn) (out []byte, action Action) { return }
func (es *EventServer) Tick() (delay time.Duration, action Action)              { return }

func Serve(eventHandler EventHandler, protoAddr string, opts ...Option) (err error) { return nil }
