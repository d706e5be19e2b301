// Package event is a stub.
package event

type Event interface{ ImplementsEvent() }
