// Package paho is a stub.
package paho

import "context"

type Publish struct {
	Topic   string
	Payload []byte
}

type (
	PublishResponse struct{}
	Connack         struct{}
	Disconnect      struct{}
	Subscribe       struct{}
	Suback          struct{}
)

type MessageHandler func(*Publish)

type Router interface {
	RegisterHandler(string, MessageHandler)
}

type StandardRouter struct{}

func NewStandardRouter() *StandardRouter { return &StandardRouter{} }

func (r *StandardRouter) RegisterHandler(topic string, h MessageHandler) {}

func NewSingleHandlerRouter(h MessageHandler) *StandardRouter { return &StandardRouter{} }

type PublishReceived struct {
	Packet *Publish
	Client *Client
}

type ClientConfig struct {
	ClientID           string
	OnPublishReceived  []func(PublishReceived) (bool, error)
	OnServerDisconnect func(*Disconnect)
	OnClientError      func(error)
}

type Client struct{}

func NewClient(conf ClientConfig) *Client { return &Client{} }

func (c *Client) Publish(ctx context.Context, p *Publish) (*PublishResponse, error) { return nil, nil }
func (c *Client) Subscribe(ctx context.Context, s *Subscribe) (*Suback, error)      { return nil, nil }
func (c *Client) AddOnPublishReceived(f func(PublishReceived) (bool, error)) func() { return nil }
