package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestALockIsWaitedForWithinABound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	holder, waiter := open(t, path), open(t, path)
	if err := Lock(t.Context(), holder); err != nil {
		t.Fatal(err)
	}
	bound := errors.New("the bound")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, bound)
	defer cancel()
	if err := Lock(ctx, waiter); !errors.Is(err, bound) {
		t.Errorf("while it is held: %v", err)
	}
	taken := make(chan error)
	go func() { taken <- Lock(t.Context(), waiter) }()
	_ = holder.Close() // which ends the lock
	if err := <-taken; err != nil {
		t.Errorf("when it is free: %v", err)
	}
}

func TestWhatCannotBeLockedIsAnError(t *testing.T) {
	file := open(t, filepath.Join(t.TempDir(), "lock"))
	_ = file.Close()
	if err := Lock(t.Context(), file); err == nil {
		t.Error("a closed file is locked")
	}
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}
