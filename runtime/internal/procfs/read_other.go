//go:build !unix

package procfs

import "errors"

func readInto([]byte, string) ([]byte, error) { return nil, errors.ErrUnsupported }
