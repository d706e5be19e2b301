// Package websocket is a stub.
package websocket

import "time"

const TextMessage = 1

type Conn struct{}

func (c *Conn) Close() error                                                        { return nil }
func (c *Conn) WriteMessage(messageType int, data []byte) error                     { return nil }
func (c *Conn) WriteJSON(v interface{}) error                                       { return nil }
func (c *Conn) WriteControl(messageType int, data []byte, deadline time.Time) error { return nil }
func (c *Conn) ReadMessage() (messageType int, p []byte, err error)                 { return 0, nil, nil }
func (c *Conn) SetWriteDeadline(t time.Time) error                                  { return nil }
func (c *Conn) SetReadDeadline(t time.Time) error                                   { return nil }
func (c *Conn) SetPingHandler(h func(appData string) error)                         {}
func (c *Conn) SetPongHandler(h func(appData string) error)                         {}
