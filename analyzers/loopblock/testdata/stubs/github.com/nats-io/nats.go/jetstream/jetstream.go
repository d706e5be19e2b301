// Package jetstream is a stub.
package jetstream

import "github.com/nats-io/nats.go"

type JetStream interface {
	PublishAsyncPending() int
}

type PubAck struct{ Sequence uint64 }

type (
	JetStreamOpt  func()
	MsgErrHandler func(JetStream, *nats.Msg, error)
	MsgAckHandler func(JetStream, *nats.Msg, *PubAck)
)

func WithPublishAsyncErrHandler(cb MsgErrHandler) JetStreamOpt { return nil }
func WithPublishAsyncAckHandler(cb MsgAckHandler) JetStreamOpt { return nil }

func New(nc *nats.Conn, opts ...JetStreamOpt) (JetStream, error) { return nil, nil }
