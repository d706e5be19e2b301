// Package v1 is a stub.
package v1

type (
	GetOptions  struct{}
	ListOptions struct{ LabelSelector string }
)
