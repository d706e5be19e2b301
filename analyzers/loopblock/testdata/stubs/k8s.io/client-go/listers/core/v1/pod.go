// Package v1 is a stub.
package v1

import corev1 "k8s.io/api/core/v1"

type PodNamespaceLister interface {
	Get(name string) (*corev1.Pod, error)
}

type PodLister interface {
	Pods(namespace string) PodNamespaceLister
}
