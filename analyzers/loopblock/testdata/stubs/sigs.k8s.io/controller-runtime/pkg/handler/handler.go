// Package handler is a stub.
package handler

import (
	"context"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type EventHandler = TypedEventHandler[client.Object, reconcile.Request]

type TypedEventHandler[object any, request comparable] interface {
	Create(context.Context, event.TypedCreateEvent[object], workqueue.TypedRateLimitingInterface[request])
	Update(context.Context, event.TypedUpdateEvent[object], workqueue.TypedRateLimitingInterface[request])
	Delete(context.Context, event.TypedDeleteEvent[object], workqueue.TypedRateLimitingInterface[request])
	Generic(context.Context, event.TypedGenericEvent[object], workqueue.TypedRateLimitingInterface[request])
}

type Funcs = TypedFuncs[client.Object, reconcile.Request]

type TypedFuncs[object any, request comparable] struct {
	CreateFunc  func(context.Context, event.TypedCreateEvent[object], workqueue.TypedRateLimitingInterface[request])
	UpdateFunc  func(context.Context, event.TypedUpdateEvent[object], workqueue.TypedRateLimitingInterface[request])
	DeleteFunc  func(context.Context, event.TypedDeleteEvent[object], workqueue.TypedRateLimitingInterface[request])
	GenericFunc func(context.Context, event.TypedGenericEvent[object], workqueue.TypedRateLimitingInterface[request])
}

type MapFunc = TypedMapFunc[client.Object, reconcile.Request]

type TypedMapFunc[object any, request comparable] func(context.Context, object) []request

func EnqueueRequestsFromMapFunc(fn MapFunc) EventHandler { return nil }

func TypedEnqueueRequestsFromMapFunc[object any, request comparable](fn TypedMapFunc[object, request]) TypedEventHandler[object, request] {
	return nil
}
