// Package raft is a stub.
package raft

import "io"

type Log struct {
	Index uint64
	Data  []byte
}

type FSM interface {
	Apply(*Log) interface{}
	Snapshot() (FSMSnapshot, error)
	Restore(snapshot io.ReadCloser) error
}

type BatchingFSM interface {
	ApplyBatch([]*Log) []interface{}
	FSM
}

type SnapshotSink interface {
	io.WriteCloser
	ID() string
	Cancel() error
}

type FSMSnapshot interface {
	Persist(sink SnapshotSink) error
	Release()
}

type LogStore interface {
	FirstIndex() (uint64, error)
	LastIndex() (uint64, error)
	GetLog(index uint64, log *Log) error
	StoreLog(log *Log) error
	StoreLogs(logs []*Log) error
	DeleteRange(min, max uint64) error
}

type Observation struct{ Data interface{} }

type FilterFn func(o *Observation) bool

type Observer struct{}

func NewObserver(channel chan Observation, blocking bool, filter FilterFn) *Observer {
	return &Observer{}
}
