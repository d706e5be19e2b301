package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// A Handler is given what the other side sends, in its order. Notify and Call
// block the stream, so what takes time is done elsewhere: Call returns a
// function that does, which is run on a goroutine of its own.
type Handler interface {
	Notify(method string, params json.RawMessage)
	Call(method string, params json.RawMessage) func(context.Context) (any, error)
}

// A Conn is one end of a connection. It is safe for concurrent use.
type Conn struct {
	in  *Reader
	out *Writer

	mu      sync.Mutex
	next    int
	waiting map[string]chan *Message           // calls of ours, by ID
	served  map[string]context.CancelCauseFunc // calls of the other side
	running sync.WaitGroup
}

// NewConn returns a connection that nobody reads yet.
func NewConn(in io.Reader, out io.Writer) *Conn {
	return &Conn{
		in: NewReader(in), out: NewWriter(out),
		waiting: make(map[string]chan *Message), served: make(map[string]context.CancelCauseFunc),
	}
}

// Serve gives the handler what comes until the stream ends or ctx is done, and
// waits for the answers that are still being made. The end of the stream is no error.
// It cannot stop a read that nothing ends: whoever ends ctx closes the stream.
func (c *Conn) Serve(ctx context.Context, handler Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	defer c.running.Wait()
	defer cancel()
	defer c.abandon()
	for ctx.Err() == nil {
		_, body, err := c.in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.take(ctx, body, handler); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

func (c *Conn) take(ctx context.Context, body []byte, handler Handler) error {
	m, err := Parse(body)
	switch {
	case err != nil:
		return c.send(&Message{ID: json.RawMessage("null"), Error: asError(err)})
	case m.Method == "$/cancelRequest":
		c.cancel(m.Params)
	case m.IsRequest():
		c.serve(ctx, m, handler.Call(m.Method, m.Params))
	case m.Method != "":
		handler.Notify(m.Method, m.Params)
	default:
		c.answered(m)
	}
	return nil
}

// serve answers a request on a goroutine of its own.
func (c *Conn) serve(ctx context.Context, m *Message, answer func(context.Context) (any, error)) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	c.served[string(m.ID)] = cancel
	c.mu.Unlock()
	c.running.Go(func() {
		result, err := answer(ctx)
		if _, isAnswer := err.(*Error); ctx.Err() != nil && err != nil && !isAnswer {
			err = context.Cause(ctx)
		}
		c.mu.Lock()
		delete(c.served, string(m.ID))
		c.mu.Unlock()
		cancel(nil)
		_ = c.send(Answer(m.ID, result, err)) // the reader finds out that the other side is gone
	})
}

func (c *Conn) cancel(params json.RawMessage) {
	var which struct{ ID json.RawMessage }
	if json.Unmarshal(params, &which) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.served[string(which.ID)]; cancel != nil {
		cancel(&Error{Code: RequestCancelled, Message: "cancelled"})
	}
}

func (c *Conn) answered(m *Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reply := c.waiting[string(m.ID)]; reply != nil {
		delete(c.waiting, string(m.ID))
		reply <- m
	}
}

// abandon ends the calls that nobody answers any more.
func (c *Conn) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, reply := range c.waiting {
		delete(c.waiting, id)
		close(reply)
	}
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) error {
	m, err := Call(nil, method, params)
	if err != nil {
		return err
	}
	return c.send(m)
}

// Call sends a request, waits for its answer, and stores that in result unless
// result is nil. It needs somebody to be in Serve.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	reply := make(chan *Message, 1)
	c.mu.Lock()
	c.next++
	id := json.RawMessage(strconv.Itoa(c.next))
	c.waiting[string(id)] = reply
	c.mu.Unlock()
	m, err := Call(id, method, params)
	if err == nil {
		err = c.send(m)
	}
	if err != nil {
		c.forget(id)
		return err
	}
	select {
	case answer, ok := <-reply:
		return settle(method, answer, ok, result)
	case <-ctx.Done():
		c.forget(id)
		_ = c.Notify("$/cancelRequest", map[string]json.RawMessage{"id": id})
		return context.Cause(ctx)
	}
}

func settle(method string, answer *Message, ok bool, result any) error {
	switch {
	case !ok:
		return fmt.Errorf("%s: the connection ended before the answer", method)
	case answer.Error != nil:
		return answer.Error
	case result == nil || answer.Result == nil:
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("decoding the answer to %s: %w", method, err)
	}
	return nil
}

func (c *Conn) forget(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, string(id))
}

func (c *Conn) send(m *Message) error {
	body, err := m.Encode()
	if err != nil {
		return err
	}
	return c.out.Write(body)
}
