// Package workqueue is a stub.
package workqueue

type TypedInterface[T comparable] interface {
	Add(item T)
	Get() (item T, shutdown bool)
	Done(item T)
}

type TypedRateLimitingInterface[T comparable] interface {
	TypedInterface[T]
	AddRateLimited(item T)
	Forget(item T)
}
