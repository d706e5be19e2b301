// Package memberlist is a stub.
package memberlist

import "time"

type Node struct{ Name, Addr string }

type Delegate interface {
	NodeMeta(limit int) []byte
	NotifyMsg([]byte)
	GetBroadcasts(overhead, limit int) [][]byte
	LocalState(join bool) []byte
	MergeRemoteState(buf []byte, join bool)
}

type EventDelegate interface {
	NotifyJoin(*Node)
	NotifyLeave(*Node)
	NotifyUpdate(*Node)
}

type AliveDelegate interface{ NotifyAlive(peer *Node) error }

type MergeDelegate interface{ NotifyMerge(peers []*Node) error }

type PingDelegate interface {
	AckPayload() []byte
	NotifyPingComplete(other *Node, rtt time.Duration, payload []byte)
}

type Config struct {
	Delegate Delegate
	Events   EventDelegate
	Merge    MergeDelegate
	Ping     PingDelegate
	Alive    AliveDelegate
}

type Memberlist struct{}

func Create(conf *Config) (*Memberlist, error) { return &Memberlist{}, nil }
