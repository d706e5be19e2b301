// Package api has the interfaces of a library that hides its implementations.
package api

type Client interface{ Jobs() Jobs }

type Jobs interface{ Submit(name string) error }
