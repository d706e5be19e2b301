// Package evio is a stub.
package evio

import (
	"io"
	"time"
)

type (
	Action  int
	Server  struct{ NumLoops int }
	Options struct{ ReuseInputBuffer bool }
)

const None Action = 0

type Conn interface {
	Context() interface{}
	SetContext(interface{})
	Wake()
}

type Events struct {
	NumLoops int
	Serving  func(server Server) (action Action)
	Opened   func(c Conn) (out []byte, opts Options, action Action)
	Closed   func(c Conn, err error) (action Action)
	Detached func(c Conn, rwc io.ReadWriteCloser) (action Action)
	PreWrite func()
	Data     func(c Conn, in []byte) (out []byte, action Action)
	Tick     func() (delay time.Duration, action Action)
}

func Serve(events Events, addr ...string) error { return nil }
