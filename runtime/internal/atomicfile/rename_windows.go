package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Readers and virus scanners that have a file open without FILE_SHARE_DELETE
// keep it from being replaced for as long as they read, which is short, and a
// replacement keeps it from being opened for as long as it takes.
const (
	attempts = 50
	pause    = 20 * time.Millisecond
)

// rename replaces to, and waits for readers of it for a second at most.
func rename(from, to string) error {
	source, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	target, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	return persist(func() error {
		return windows.MoveFileEx(source, target, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	})
}

// open waits for a replacement of the file for a second at most.
func open(path string) (file *os.File, err error) {
	err = persist(func() error {
		file, err = os.Open(path)
		return err
	})
	return file, err
}

// persist repeats what somebody else's open file stands in the way of.
func persist(f func() error) (err error) {
	for range attempts {
		err = f()
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(pause)
	}
	return err
}

// syncFolder has nothing to do: MOVEFILE_WRITE_THROUGH waits for the folder.
func syncFolder(string) error {
	return nil
}
