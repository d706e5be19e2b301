//go:build unix

package procfs

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// asNotExist makes ESRCH, which a read gives if the process ends between the
// opening of its file and the read, look like the missing file it is.
func asNotExist(err error) error {
	if errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("%w (%w)", os.ErrNotExist, err)
	}
	return err
}
