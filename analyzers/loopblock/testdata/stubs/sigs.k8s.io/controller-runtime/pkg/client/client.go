// Package client is a stub.
package client

import "context"

type Object interface{ GetName() string }

type ObjectList interface{ GetContinue() string }

type ObjectKey struct{ Namespace, Name string }

type (
	GetOption  interface{ ApplyToGet() }
	ListOption interface{ ApplyToList() }
)

type Reader interface {
	Get(ctx context.Context, key ObjectKey, obj Object, opts ...GetOption) error
	List(ctx context.Context, list ObjectList, opts ...ListOption) error
}

type Client interface {
	Reader
}
