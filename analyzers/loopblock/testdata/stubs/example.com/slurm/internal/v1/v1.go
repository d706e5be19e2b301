// Package v1 implements the interfaces.
package v1

import (
	"net/http"

	"example.com/slurm/api"
)

type client struct{ base string }

type jobs struct{ client *client }

func New(base string) api.Client { return &client{base} }

func (c *client) Jobs() api.Jobs { return &jobs{c} }

func (j *jobs) Submit(name string) error {
	_, err := http.Get(j.client.base + name)
	return err
}
