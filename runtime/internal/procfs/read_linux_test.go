package procfs

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestReadIntoPutsPiecesTogether(t *testing.T) {
	path := t.TempDir() + "/pieces"
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		writer, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer writer.Close()
		for _, piece := range []string{"one ", "two ", "three"} {
			writer.WriteString(piece)
			awaitEmpty(t, writer)
		}
	}()
	got, err := readInto(make([]byte, 100), path)
	if string(got) != "one two three" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// awaitEmpty waits until somebody has read everything that is in a pipe.
func awaitEmpty(t *testing.T, pipe *os.File) {
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		waiting, err := unix.IoctlGetInt(int(pipe.Fd()), unix.TIOCINQ)
		if err != nil || time.Now().After(deadline) {
			t.Errorf("%d bytes wait: %v", waiting, err)
			return
		}
		if waiting == 0 {
			return
		}
	}
}

func TestReadIntoStopsWhenTheBufferIsFull(t *testing.T) {
	path := t.TempDir() + "/long"
	if err := os.WriteFile(path, []byte("longer than that"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readInto(make([]byte, 6), path); string(got) != "longer" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := readInto(nil, t.TempDir()+"/missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
