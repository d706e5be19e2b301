package status_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
	"github.com/holdfast-go/holdfast/runtime/status"
)

// stall is how long the disk of these tests does not answer.
const stall = 1500 * time.Millisecond

// A slowDisk is a file system whose writes hang on demand, in the kernel, as
// those of a real disk do. It is served by a process of its own, which ends with
// the test: a process that hangs in a file system that it serves cannot be
// killed.
type slowDisk struct {
	folder string // where it is mounted
	server *process
}

// mountSlowDisk mounts one for the length of the test, or skips it.
func mountSlowDisk(t *testing.T) *slowDisk {
	t.Helper()
	d := &slowDisk{folder: t.TempDir()}
	d.server = startProgram(t, "slowdisk", d.folder, t.TempDir())
	t.Cleanup(func() {
		d.server.end(t)
		if syscall.Unmount(d.folder, syscall.MNT_DETACH) == nil {
			t.Error("the slow disk was still mounted after its process had ended")
		}
	})
	if answer := d.ask("mounted"); answer != "mounted" {
		if os.Getenv("HOLDFAST_E2E") == "1" {
			t.Fatalf("no file system in user space: %s", answer)
		}
		t.Skipf("no file system in user space here: %s", answer)
	}
	return d
}

// ask sends a command and returns the answer.
func (d *slowDisk) ask(command string) string {
	if _, err := fmt.Fprintln(d.server.stdin, command); err != nil {
		return err.Error()
	}
	if !d.server.lines.Scan() {
		return fmt.Sprint("the slow disk has gone: ", d.server.lines.Err())
	}
	return d.server.lines.Text()
}

// hang makes writes wait until release.
func (d *slowDisk) hang()    { d.ask("hang") }
func (d *slowDisk) release() { d.ask("release") }

// waiting returns nil if an operation hangs right now.
func (d *slowDisk) waiting() error {
	if n := d.ask("hanging"); n == "0" {
		return errors.New("no operation hangs")
	}
	return nil
}

// created returns how many files were ever made.
func (d *slowDisk) created(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(d.ask("created"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A pulse is a callback each millisecond on a loop, and the worst gap between
// two of them.
type pulse struct {
	beats atomic.Int64
	worst atomic.Int64
	last  time.Time // of the loop
}

func (p *pulse) beat() {
	now := time.Now()
	if !p.last.IsZero() {
		p.worst.Store(max(p.worst.Load(), int64(now.Sub(p.last))))
	}
	p.last = now
	p.beats.Add(1)
}

func (p *pulse) worstGap() time.Duration {
	return time.Duration(p.worst.Load()).Round(10 * time.Microsecond)
}

// startBystander beats on a goroutine that has to do with nothing else. Its
// gaps are the machine's.
func startBystander(t *testing.T) *pulse {
	p := &pulse{}
	ticker := time.NewTicker(time.Millisecond)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticker.C:
				p.beat()
			case <-stop:
				return
			}
		}
	}()
	t.Cleanup(func() {
		ticker.Stop()
		close(stop)
		<-stopped
	})
	return p
}

func startLoop(t *testing.T) (*loop.Loop, *pulse) {
	t.Helper()
	events := loop.New(loop.WithOnStall(func(s loop.Stall) { t.Logf("%v", s) }))
	ended := make(chan error, 1)
	go func() { ended <- events.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := errors.Join(events.Close(context.Background()), <-ended); err != nil {
			t.Error(err)
		}
	})
	p := &pulse{}
	events.Every(time.Millisecond, p.beat)
	return events, p
}

// The heart of the package: the disk does not answer for a second and a half,
// and the loop, which publishes all the time, does not notice. The control is a
// loop that writes its status itself.
func TestLoopRunsOnWhileTheDiskHangs(t *testing.T) {
	const publishes = 300
	disk := mountSlowDisk(t)
	path := filepath.Join(disk.folder, "status.json")

	t.Run("status", func(t *testing.T) {
		events, pulse := startLoop(t)
		bystander := startBystander(t)
		w := status.New(path, status.WithInterval(time.Millisecond))
		if err := w.Write(t.Context(), status.Int("n", -1)); err != nil {
			t.Fatal(err)
		}
		created := disk.created(t)
		disk.hang()
		defer disk.release()
		published := make(chan struct{})
		n := 0
		var tick *loop.Timer
		err := events.Call(t.Context(), func() {
			tick = events.Every(stall/publishes, func() {
				w.Publish(status.Int("n", n), status.Int("deep/er/n", n))
				if n++; n == publishes {
					tick.Stop()
					close(published)
				}
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, disk.waiting)
		before := pulse.beats.Load()
		<-published
		if err := disk.waiting(); err != nil {
			t.Fatal(err)
		}
		during := pulse.beats.Load() - before
		disk.release()
		if during < publishes/2 {
			t.Errorf("%d callbacks ran while the write hung", during)
		}
		if err := w.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(expect(path, publishes-1, "n", "deep/er/n")); err != nil {
			t.Error(err)
		}
		writes := disk.created(t) - created
		if writes > 3 {
			t.Errorf("%d writes for %d publishes, want 3 at most", writes, publishes)
		}
		t.Logf("%d callbacks ran while the write hung, worst gap %v (of an idle goroutine beside it: %v), %d publishes in %d writes",
			during, pulse.worstGap(), bystander.worstGap(), publishes, writes)
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})

	t.Run("control", func(t *testing.T) {
		events, pulse := startLoop(t)
		eventually(t, func() error {
			if pulse.beats.Load() == 0 {
				return errors.New("the loop does not run")
			}
			return nil
		})
		disk.hang()
		defer disk.release()
		written := make(chan error, 1)
		if err := events.Post(func() { written <- os.WriteFile(path+".control", []byte("{}"), 0o600) }); err != nil {
			t.Fatal(err)
		}
		eventually(t, disk.waiting)
		before := pulse.beats.Load()
		time.Sleep(stall)
		during := pulse.beats.Load() - before
		disk.release()
		if err := <-written; err != nil {
			t.Error(err)
		}
		if during != 0 {
			t.Errorf("%d callbacks ran while the loop itself hung: the disk does not hang", during)
		}
		eventually(t, func() error {
			if pulse.beats.Load() == before {
				return errors.New("the loop does not go on")
			}
			return nil
		})
		if err := events.Call(t.Context(), func() {}); err != nil {
			t.Error(err)
		}
		t.Logf("worst gap %v", pulse.worstGap())
	})
}

func TestCloseReturnsWhileTheDiskHangs(t *testing.T) {
	disk := mountSlowDisk(t)
	path := filepath.Join(disk.folder, "status.json")
	w := status.New(path, status.WithProcess(""))
	if err := w.Write(t.Context(), status.String("state", "running")); err != nil {
		t.Fatal(err)
	}
	disk.hang()
	defer disk.release()
	began := time.Now()
	err := w.Close(t.Context(), status.String("state", "stopped"))
	t.Logf("Close returned after %v: %v", time.Since(began), err)
	if err == nil || disk.waiting() != nil {
		t.Errorf("Close returned %v although the disk hangs (%v)", err, disk.waiting())
	}
	if got := content(t, path); got != `{"state":"running"}` {
		t.Errorf("the file is %s before the disk has answered", got)
	}
	disk.release()
	eventually(t, func() error { return contains(path, `{"state":"stopped"}`) })
	eventually(t, func() error { return gone(disk.folder) })
}

// gone returns nil when the folder has no temporary file any more.
func gone(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".tmp" {
			return fmt.Errorf("%s: %w", entry.Name(), fs.ErrExist)
		}
	}
	return nil
}
