// Package autopaho is a stub.
package autopaho

import (
	"context"

	"github.com/eclipse/paho.golang/paho"
)

type ClientConfig struct {
	OnConnectionUp   func(*ConnectionManager, *paho.Connack)
	OnConnectionDown func() bool
	OnConnectError   func(error)
	paho.ClientConfig
}

type ConnectionManager struct{}

func NewConnection(ctx context.Context, cfg ClientConfig) (*ConnectionManager, error) {
	return &ConnectionManager{}, nil
}

func (c *ConnectionManager) Publish(ctx context.Context, p *paho.Publish) (*paho.PublishResponse, error) {
	return nil, nil
}
