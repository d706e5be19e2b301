//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package ledger

import (
	"errors"
	"os"
)

const (
	noFollow         = 0
	canReplace       = false
	removeNeedsClose = false
)

func lockExclusive(*os.File) error { return errors.ErrUnsupported }

func lockShared(*os.File) error { return errors.ErrUnsupported }

func isForeign(os.FileInfo) bool { return false }

func groupIsEmpty(int) bool { return false }
