package workspace

import (
	"context"
	"sync"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/protocol"
)

// An outbox is a client that never makes its caller wait: an editor that is slow
// to read must not keep the workspace from taking what it writes.
type outbox struct {
	client Client

	mu   sync.Mutex
	list []func()
	wake chan struct{}
}

func newOutbox(client Client) *outbox {
	return &outbox{client: client, wake: make(chan struct{}, 1)}
}

func (o *outbox) Publish(p protocol.PublishDiagnostics) { o.put(func() { o.client.Publish(p) }) }

func (o *outbox) Notify(method string, params any) {
	o.put(func() { o.client.Notify(method, params) })
}

func (o *outbox) Ask(method string, params any, answered func(error)) {
	o.put(func() { o.client.Ask(method, params, answered) })
}

func (o *outbox) put(send func()) {
	o.mu.Lock()
	o.list = append(o.list, send)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run sends what was put, in its order, until ctx is done.
func (o *outbox) run(ctx context.Context) {
	for {
		o.mu.Lock()
		list := o.list
		o.list = nil
		o.mu.Unlock()
		for _, send := range list {
			send()
		}
		if len(list) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
	}
}
