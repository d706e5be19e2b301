//go:build (!unix && !windows) || aix || solaris || illumos

package workspace

import (
	"errors"
	"os"
)

// lock locks nothing here: whether an owner is alive cannot be told, so folders
// of the dead stay.
func lock(*os.File) error { return errors.ErrUnsupported }
