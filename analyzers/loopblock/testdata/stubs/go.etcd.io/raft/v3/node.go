// Package raft is a stub.
package raft

import "go.etcd.io/raft/v3/raftpb"

type Ready struct {
	Entries          []raftpb.Entry
	CommittedEntries []raftpb.Entry
	Messages         []raftpb.Message
	MustSync         bool
}

type Node interface {
	Tick()
	Ready() <-chan Ready
	Advance()
}
