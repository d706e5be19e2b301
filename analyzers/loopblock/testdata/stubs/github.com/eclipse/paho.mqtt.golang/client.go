// Package mqtt is a stub.
package mqtt

import "time"

type Message interface {
	Topic() string
	Payload() []byte
	Ack()
}

type Token interface {
	Wait() bool
	WaitTimeout(time.Duration) bool
	Done() <-chan struct{}
	Error() error
}

type (
	MessageHandler        func(Client, Message)
	OnConnectHandler      func(Client)
	ConnectionLostHandler func(Client, error)
)

type Client interface {
	IsConnected() bool
	Connect() Token
	Disconnect(quiesce uint)
	Publish(topic string, qos byte, retained bool, payload interface{}) Token
	Subscribe(topic string, qos byte, callback MessageHandler) Token
	SubscribeMultiple(filters map[string]byte, callback MessageHandler) Token
	AddRoute(topic string, callback MessageHandler)
}

type ClientOptions struct{}

func NewClientOptions() *ClientOptions { return &ClientOptions{} }

func (o *ClientOptions) SetOrderMatters(order bool) *ClientOptions { return o }
func (o *ClientOptions) SetDefaultPublishHandler(defaultHandler MessageHandler) *ClientOptions {
	return o
}
func (o *ClientOptions) SetOnConnectHandler(onConn OnConnectHandler) *ClientOptions { return o }
func (o *ClientOptions) SetConnectionLostHandler(onLost ConnectionLostHandler) *ClientOptions {
	return o
}

func NewClient(o *ClientOptions) Client { return nil }
