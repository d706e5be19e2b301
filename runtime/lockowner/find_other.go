//go:build !unix && !windows

package lockowner

import (
	"context"
	"errors"
)

func find(context.Context, string) (Report, error) {
	return Report{}, errors.ErrUnsupported
}
