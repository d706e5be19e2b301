// Package filelock locks a file against other processes. A lock ends with the
// file or with the process; a child does not inherit it.
package filelock

import (
	"context"
	"os"
	"time"
)

// Lock takes an exclusive lock on the file, and waits for it until ctx is done;
// the error is then the cause of that. Another error is the system's, as of a file
// system without locks. The system does not tell when a lock is free, so it is
// asked every 20 ms at most.
func Lock(ctx context.Context, file *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		locked, err := try(file)
		if locked || err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
