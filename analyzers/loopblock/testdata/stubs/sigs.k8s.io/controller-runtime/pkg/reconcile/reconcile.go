// Package reconcile is a stub.
package reconcile

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Request struct{ client.ObjectKey }

type Result struct{ Requeue bool }

type Reconciler = TypedReconciler[Request]

type TypedReconciler[request comparable] interface {
	Reconcile(context.Context, request) (Result, error)
}
