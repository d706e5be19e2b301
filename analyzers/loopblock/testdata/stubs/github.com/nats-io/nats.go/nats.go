// Package nats is a stub.
package nats

import "time"

type Msg struct {
	Subject string
	Data    []byte
}

func (m *Msg) Respond(data []byte) error { return nil }

type Subscription struct{}

type Conn struct{}

type (
	MsgHandler func(msg *Msg)
	Option     func()
)

func Connect(url string, options ...Option) (*Conn, error) { return &Conn{}, nil }

func (nc *Conn) Subscribe(subj string, cb MsgHandler) (*Subscription, error) { return nil, nil }
func (nc *Conn) Publish(subj string, data []byte) error                      { return nil }
func (nc *Conn) Request(subj string, data []byte, timeout time.Duration) (*Msg, error) {
	return nil, nil
}
