// Package nbio is a stub.
package nbio

type Config struct{ Network string }

type Conn struct{}

func (c *Conn) Write(b []byte) (int, error) { return len(b), nil }
func (c *Conn) Execute(job func()) bool     { return true }

type Engine struct{}

func NewEngine(conf Config) *Engine { return &Engine{} }

func (g *Engine) Start() error                             { return nil }
func (g *Engine) OnOpen(h func(c *Conn))                   {}
func (g *Engine) OnClose(h func(c *Conn, err error))       {}
func (g *Engine) OnRead(h func(c *Conn))                   {}
func (g *Engine) OnData(h func(c *Conn, data []byte))      {}
func (g *Engine) OnDataPtr(h func(c *Conn, pdata *[]byte)) {}
