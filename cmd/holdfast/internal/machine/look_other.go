//go:build !linux

package machine

import "errors"

func commandOf(int) []string { return nil }

func listeners() (map[uint64]*listener, error) { return nil, errors.ErrUnsupported }

func socketsOf(int) []uint64 { return nil }
