// Package uv is a stub.
package uv

type Event interface{}
