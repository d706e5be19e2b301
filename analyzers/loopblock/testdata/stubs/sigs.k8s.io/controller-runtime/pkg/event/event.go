// Package event is a stub.
package event

import "sigs.k8s.io/controller-runtime/pkg/client"

type (
	CreateEvent  = TypedCreateEvent[client.Object]
	UpdateEvent  = TypedUpdateEvent[client.Object]
	DeleteEvent  = TypedDeleteEvent[client.Object]
	GenericEvent = TypedGenericEvent[client.Object]
)

type TypedCreateEvent[object any] struct{ Object object }

type TypedUpdateEvent[object any] struct{ ObjectOld, ObjectNew object }

type TypedDeleteEvent[object any] struct{ Object object }

type TypedGenericEvent[object any] struct{ Object object }
