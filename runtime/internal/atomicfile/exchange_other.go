//go:build !linux

package atomicfile

import "errors"

func exchange(temporary, path string, exists bool) ([]byte, error) {
	return nil, errors.ErrUnsupported
}
