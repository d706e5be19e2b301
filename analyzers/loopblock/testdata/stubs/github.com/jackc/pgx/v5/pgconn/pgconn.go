// Package pgconn is a stub.
package pgconn

type CommandTag struct{}
