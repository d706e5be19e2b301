// Package serf is a stub.
package serf

type EventType int

type Event interface {
	EventType() EventType
	String() string
}

type Member struct{ Name, Addr string }

type MemberEvent struct{ Members []Member }

func (m MemberEvent) EventType() EventType { return 0 }
func (m MemberEvent) String() string       { return "" }

type Config struct{ EventCh chan<- Event }

func DefaultConfig() *Config { return &Config{} }

type Serf struct{}

func Create(conf *Config) (*Serf, error) { return &Serf{}, nil }

func (s *Serf) Members() []Member { return nil }
