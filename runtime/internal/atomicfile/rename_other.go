//go:build !windows

package atomicfile

import (
	"errors"
	"fmt"
	"os"
)

func rename(from, to string) error {
	return os.Rename(from, to)
}

func syncFolder(folder string) error {
	file, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("syncing the folder: %w", err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("syncing the folder: %w", err)
	}
	return nil
}

func open(path string) (*os.File, error) { return os.Open(path) }
