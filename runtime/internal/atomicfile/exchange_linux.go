package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// displacedLimit bounds how large a file may be that is displaced.
const displacedLimit = 64 << 20

// exchange lets two files change places, or puts the new one where there is
// none yet, in one step (renameat2(2)). The displaced file's content is
// returned; one that cannot be read is put back.
func exchange(temporary, path string, exists bool) ([]byte, error) {
	flags := uint(unix.RENAME_NOREPLACE)
	if exists {
		flags = unix.RENAME_EXCHANGE
	}
	err := renameat2(temporary, path, flags)
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
		back := renameat2(temporary, path, unix.RENAME_EXCHANGE)
		return nil, fmt.Errorf("reading the replaced file: %w", errors.Join(err, back))
	}
	return displaced, nil
}

func renameat2(from, to string, flags uint) error {
	for {
		err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// readAndRemove returns the content of a file that is no longer needed.
func readAndRemove(path string, limit int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // a named pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	data, err := readRegular(file, limit)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return data, os.Remove(path)
}

func readRegular(file *os.File, limit int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, err
}
