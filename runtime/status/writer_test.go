package status

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A fakeDisk hangs and fails on demand.
type fakeDisk struct {
	mu     sync.Mutex
	gate   chan struct{} // a save waits for it to be closed, unless it is nil
	err    error
	root   *object
	begun  int
	saves  int // that succeeded
	broken int // that failed
}

func (d *fakeDisk) save(updates []update) error {
	d.mu.Lock()
	d.begun++
	gate := d.gate
	d.mu.Unlock()
	if gate != nil {
		<-gate
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		d.broken++
		return d.err
	}
	if d.root == nil {
		d.root = newObject()
	}
	d.root.overlay(updates)
	d.saves++
	return nil
}

func (d *fakeDisk) set(change func(*fakeDisk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

// hang makes saves wait until release is called.
func (d *fakeDisk) hang() (release func()) {
	gate := make(chan struct{})
	d.set(func(d *fakeDisk) { d.gate = gate })
	return func() {
		d.set(func(d *fakeDisk) { d.gate = nil })
		close(gate)
	}
}

func (d *fakeDisk) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return ""
	}
	return strings.TrimSpace(string(d.root.encode()))
}

func (d *fakeDisk) counts() (begun, saves, broken int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun, d.saves, d.broken
}

// newOn returns a Writer on a fake disk that publishes no identity, and its log.
func newOn(d *fakeDisk, options ...Option) (*Writer, *log) {
	l := new(log)
	s := newSettings(append([]Option{WithProcess(""), WithLogger(slog.New(slog.NewTextHandler(l, nil)))}, options...))
	return newWriter(s, d), l
}

// A log is a buffer that may be read while it is written.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func closeWriter(t *testing.T, w *Writer) {
	t.Helper()
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestThreeHundredPublishesCostAtMostThreeWritesOfAHangingDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		release := disk.hang()
		began := time.Now()
		for i := range 300 {
			w.Publish(Int("n", i))
			time.Sleep(5 * time.Millisecond)
		}
		if time.Since(began) != 1500*time.Millisecond {
			t.Errorf("publishing took %v more than it had to", time.Since(began)-1500*time.Millisecond)
		}
		release()
		if err := w.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if begun, _, _ := disk.counts(); begun > 3 || disk.text() != `{"n":299}` {
			t.Errorf("%d writes, the file has %s", begun, disk.text())
		}
		closeWriter(t, w)
	})
}

func TestWriteThatReachesItsBoundStaysQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		release := disk.hang()
		w.Publish(Int("first", 1))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := w.Write(ctx, Int("second", 2)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Write on a hanging disk: %v", err)
		}
		if time.Since(began) != time.Second {
			t.Errorf("Write waited for %v", time.Since(began))
		}
		release()
		synctest.Wait()
		if want := `{"first":1,"second":2}`; disk.text() != want {
			t.Errorf("the file has %s, want %s", disk.text(), want)
		}
		closeWriter(t, w)
	})
}

func TestFailuresAreLoggedOnceAndTheNewestStateWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("no space left on device")
		disk := &fakeDisk{err: full}
		w, log := newOn(disk)
		if err := w.Write(t.Context(), Int("n", 0)); !errors.Is(err, full) {
			t.Errorf("Write on a full disk: %v", err)
		}
		for i := range 100 {
			w.Publish(Int("n", i))
			time.Sleep(time.Second)
		}
		// 1, 3, 7, 15, 31, 61, 91 s after the first.
		if _, _, broken := disk.counts(); broken != 8 {
			t.Errorf("tried %d times in 100 s, want 8", broken)
		}
		if err := w.Flush(t.Context()); !errors.Is(err, full) {
			t.Errorf("a Flush does not try at once: %v", err)
		}
		disk.set(func(d *fakeDisk) { d.err = nil })
		time.Sleep(longestPause + time.Second)
		if disk.text() != `{"n":99}` {
			t.Errorf("nobody published or waited, but the file has %s", disk.text())
		}
		closeWriter(t, w)
		got := log.String()
		if strings.Count(got, "level=WARN") != 1 || strings.Count(got, "level=INFO") != 1 || strings.Count(got, "\n") != 2 {
			t.Errorf("want one warning and one line on recovery:\n%s", got)
		}
	})
}

func TestTheSecondFailureIsReportedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, log := newOn(disk)
		for _, err := range []error{errors.New("first"), nil, errors.New("second"), nil} {
			disk.set(func(d *fakeDisk) { d.err = err })
			w.Write(t.Context(), String("at", fmt.Sprint(err)))
		}
		closeWriter(t, w)
		if strings.Count(log.String(), "level=WARN") != 2 || strings.Count(log.String(), "level=INFO") != 2 {
			t.Errorf("the log:\n%s", log)
		}
	})
}

func TestHangingDiskIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, log := newOn(disk)
		release := disk.hang()
		w.Publish(Int("n", 1))
		time.Sleep(time.Minute)
		if strings.Count(log.String(), "level=WARN") != 1 || !strings.Contains(log.String(), "has not answered for 5s") {
			t.Errorf("the log of a minute without an answer:\n%s", log)
		}
		release()
		synctest.Wait()
		if strings.Count(log.String(), "level=INFO") != 1 {
			t.Errorf("no recovery:\n%s", log)
		}
		closeWriter(t, w)
	})
}

func TestCloseDoesNotHangWithTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		w.Publish(String("state", "running"))
		synctest.Wait()
		release := disk.hang()
		w.Publish(Int("n", 1))
		time.Sleep(time.Second) // the write hangs
		began := time.Now()
		err := w.Close(context.Background(), String("state", "stopped"))
		if !errors.Is(err, context.DeadlineExceeded) && (err == nil || !strings.Contains(err.Error(), "has not answered")) {
			t.Errorf("Close: %v", err)
		}
		if time.Since(began) != CloseBound {
			t.Errorf("Close took %v", time.Since(began))
		}
		release() // a disk that comes back before the process has gone
		synctest.Wait()
		if want := `{"state":"stopped","n":1}`; disk.text() != want {
			t.Errorf("the last state is lost: %s", disk.text())
		}
	})
}

func TestCloseWritesTheLastStateAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk, WithInterval(time.Hour))
		if err := w.Write(t.Context(), String("state", "running")); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := w.Close(t.Context(), String("state", "stopped")); err != nil || time.Since(began) != 0 {
			t.Errorf("Close took %v: %v", time.Since(began), err)
		}
		if disk.text() != `{"state":"stopped"}` {
			t.Errorf("the file has %s", disk.text())
		}
		if err := w.Close(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("second Close: %v", err)
		}
		if err := w.Write(t.Context(), Int("n", 1)); !errors.Is(err, ErrClosed) {
			t.Errorf("Write after Close: %v", err)
		}
		w.Publish(Int("n", 1))
		time.Sleep(time.Hour)
		if disk.text() != `{"state":"stopped"}` {
			t.Errorf("Publish after Close wrote %s", disk.text())
		}
	})
}

func TestNothingPublishedMeansNothingWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w := newWriter(newSettings(nil), disk)
		if err := w.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		closeWriter(t, w)
		if begun, _, _ := disk.counts(); begun != 0 {
			t.Errorf("%d writes", begun)
		}
	})
}

func TestWritesKeepTheirDistanceUnlessSomebodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		for i := range 1000 {
			w.Publish(Int("n", i))
			time.Sleep(time.Millisecond)
		}
		if begun, _, _ := disk.counts(); begun < 10 || begun > 11 {
			t.Errorf("%d writes in a second, want one each 100 ms", begun)
		}
		before, _, _ := disk.counts()
		began := time.Now()
		for i := range 10 {
			if err := w.Write(t.Context(), Int("n", -i-1)); err != nil {
				t.Error(err)
			}
		}
		if after, _, _ := disk.counts(); after-before != 10 || time.Since(began) != 0 {
			t.Errorf("10 waited-for writes: %d in %v", after-before, time.Since(began))
		}
		closeWriter(t, w)
	})
}

func TestFileIsLookedAtWhileNothingIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk, WithRecheck(10*time.Second))
		w.Publish(Int("n", 1))
		time.Sleep(65 * time.Second)
		if begun, _, _ := disk.counts(); begun != 7 {
			t.Errorf("%d looks in 65 s, want the first and one each 10 s", begun)
		}
		if w.Publish(Int("n", 1)) != 1 || w.Publish(Int("n", 2)) != 2 {
			t.Error("only a change makes a generation")
		}
		synctest.Wait()
		if disk.text() != `{"n":2}` {
			t.Errorf("a change after an idle minute: %s", disk.text())
		}
		closeWriter(t, w)
	})
}

func TestSnapshotIsReadableBeforeItReachesTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fakeDisk{}
		w, _ := newOn(disk)
		release := disk.hang()
		w.Publish(Int("a/b", 1), Bool("c", true))
		if got, want := w.Snapshot().String(), `{"a":{"b":1},"c":true}`+"\n"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		release()
		closeWriter(t, w)
	})
}

func TestPublishAllocatesNothing(t *testing.T) {
	disk := &fakeDisk{}
	w, _ := newOn(disk, WithInterval(time.Hour))
	defer w.Close(context.Background())
	if err := w.Write(context.Background(), Int("n", -1)); err != nil {
		t.Fatal(err)
	}
	n := 0
	if got := testing.AllocsPerRun(1000, func() { n++; w.Publish(Int("n", n)) }); got != 0 {
		t.Errorf("%v allocations for a changed field", got)
	}
}
