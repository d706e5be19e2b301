// Package slurm is what programs import.
package slurm

import (
	"example.com/slurm/api"
	v1 "example.com/slurm/internal/v1"
)

func New(base string) api.Client { return v1.New(base) }
