//go:build unix

package procfs

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// readInto reads a file to its end, or until the buffer is full, and returns
// what it read. It costs a third of os.ReadFile, which asks for the size of a
// file that has none and offers it to the poller, which refuses it.
func readInto(buffer []byte, path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	for errors.Is(err, syscall.EINTR) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	length := 0
	for length < len(buffer) {
		n, err := syscall.Read(fd, buffer[length:])
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return nil, asNotExist(&os.PathError{Op: "read", Path: path, Err: err})
		case n == 0:
			return buffer[:length], nil
		default:
			length += n
		}
	}
	return buffer, nil
}

// asNotExist makes ESRCH, which a read gives if the process ends between the
// opening of its file and the read, look like the missing file it is.
func asNotExist(err error) error {
	if errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("%w (%w)", os.ErrNotExist, err)
	}
	return err
}
