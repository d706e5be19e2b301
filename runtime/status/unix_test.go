//go:build unix

package status_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/status"
)

func TestPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := status.Read(path); err == nil {
		t.Error("a pipe was read")
	}
	w := status.New(path, status.WithLogger(slog.New(slog.DiscardHandler)))
	if err := w.Close(t.Context(), status.Int("n", 1)); err == nil {
		t.Error("a pipe was replaced")
	}
}

// A process that is stopped while it has the lock must not silence the others.
func TestLockOfAStoppedProcessIsNotWaitedForForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status.json")
	lock, err := os.OpenFile(filepath.Join(filepath.Dir(path), ".status.json.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	w := status.New(path, status.WithProcess(""))
	began := time.Now()
	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := w.Write(impatient, status.Int("n", 1)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the lock is not waited for: %v", err)
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("written in spite of the lock after %v", time.Since(began))
	if got := content(t, path); got != `{"n":1}` {
		t.Errorf("the file has %s", got)
	}
	lock.Close()
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
