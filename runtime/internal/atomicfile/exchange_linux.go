package atomicfile

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// displacedLimit bounds what is read of a displaced file.
const displacedLimit = 64 << 20

// exchange lets two files change places, or puts the new one where there is
// none yet, in one step (renameat2(2)). The displaced file's content is
// returned.
func exchange(temporary, path string, exists bool) ([]byte, error) {
	flags := uint(unix.RENAME_NOREPLACE)
	if exists {
		flags = unix.RENAME_EXCHANGE
	}
	err := unix.Renameat2(unix.AT_FDCWD, temporary, unix.AT_FDCWD, path, flags)
	for errors.Is(err, unix.EINTR) {
		err = unix.Renameat2(unix.AT_FDCWD, temporary, unix.AT_FDCWD, path, flags)
	}
	switch {
	case errors.Is(err, unix.EEXIST), errors.Is(err, unix.ENOENT):
		return nil, ErrChanged
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return nil, errors.ErrUnsupported
	case err != nil:
		return nil, fmt.Errorf("replacing the file: %w", err)
	case !exists:
		return nil, nil
	}
	displaced, err := readAndRemove(temporary, displacedLimit)
	if err != nil {
		return nil, fmt.Errorf("reading the replaced file: %w", err)
	}
	return displaced, nil
}
