// Package v1 is a stub.
package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type PodInterface interface {
	Update(ctx context.Context, pod *corev1.Pod, opts metav1.GetOptions) (*corev1.Pod, error)
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*corev1.Pod, error)
	List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error)
}

type PodsGetter interface {
	Pods(namespace string) PodInterface
}

type CoreV1Interface interface {
	PodsGetter
}
