// Package v1 is a stub.
package v1

type Pod struct{ Name, Namespace string }

func (p *Pod) GetName() string { return p.Name }

type PodList struct{ Items []Pod }
