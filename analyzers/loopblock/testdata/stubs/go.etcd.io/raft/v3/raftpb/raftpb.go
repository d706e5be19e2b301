// Package raftpb is a stub.
package raftpb

type (
	Entry   struct{ Data []byte }
	Message struct{ To uint64 }
)
