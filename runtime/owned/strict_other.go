//go:build !linux

package owned

import (
	"errors"
	"fmt"
)

func strict() error {
	return fmt.Errorf("owned: the strict mode needs Linux: %w", errors.ErrUnsupported)
}

func underMonitor() bool { return false }
