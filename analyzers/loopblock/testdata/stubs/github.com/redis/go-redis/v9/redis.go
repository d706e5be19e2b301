// Package redis is a stub.
package redis

import (
	"context"
	"time"
)

type (
	StringCmd struct{}
	StatusCmd struct{}
	Options   struct{ Addr string }
)

func (cmd *StringCmd) Result() (string, error) { return "", nil }
func (cmd *StatusCmd) Err() error              { return nil }

type Cmdable interface {
	Get(ctx context.Context, key string) *StringCmd
	Set(ctx context.Context, key string, value interface{}, expiration time.Duration) *StatusCmd
}

type cmdable func(ctx context.Context) error

func (c cmdable) Get(ctx context.Context, key string) *StringCmd { return nil }
func (c cmdable) Set(ctx context.Context, key string, value interface{}, expiration time.Duration) *StatusCmd {
	return nil
}

type Client struct{ cmdable }

func NewClient(opt *Options) *Client { return &Client{} }
