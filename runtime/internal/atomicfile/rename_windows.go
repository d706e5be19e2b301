package atomicfile

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// Readers and virus scanners that have a file open without FILE_SHARE_DELETE
// keep it from being replaced for as long as they read, which is short.
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
	for range attempts {
		err = windows.MoveFileEx(source, target, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
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
