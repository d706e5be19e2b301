package status_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"github.com/holdfast-go/holdfast/runtime/loop"
	"github.com/holdfast-go/holdfast/runtime/status"
)

// stall is how long the disk of these tests does not answer.
const stall = 1500 * time.Millisecond

// A slowDisk is a file system in user space whose writes hang on demand, in the
// kernel, as those of a real disk do.
type slowDisk struct {
	folder string // where it is mounted

	mu      sync.Mutex
	gate    chan struct{} // closed unless the disk hangs
	hanging int           // how many operations wait for it
	created atomic.Int64  // files
}

// mountSlowDisk mounts one for the length of the test, or skips it.
func mountSlowDisk(t *testing.T) *slowDisk {
	t.Helper()
	d := &slowDisk{folder: t.TempDir(), gate: make(chan struct{})}
	close(d.gate)
	root, err := gofs.NewLoopbackRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := gofs.Mount(d.folder, d.wrap(root), &gofs.Options{
		MountOptions: fuse.MountOptions{DirectMount: true, FsName: "slowdisk"},
	})
	if err != nil {
		if os.Getenv("HOLDFAST_E2E") == "1" {
			t.Fatalf("no file system in user space: %v", err)
		}
		t.Skipf("no file system in user space here: %v", err)
	}
	t.Cleanup(func() {
		d.release()
		if err := server.Unmount(); err != nil {
			t.Errorf("unmounting: %v", err)
			syscall.Unmount(d.folder, syscall.MNT_DETACH)
		}
		server.Wait()
	})
	return d
}

// hang makes writes wait until release.
func (d *slowDisk) hang() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gate = make(chan struct{})
}

func (d *slowDisk) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.gate:
	default:
		close(d.gate)
	}
}

func (d *slowDisk) pass() {
	d.mu.Lock()
	gate := d.gate
	d.hanging++
	d.mu.Unlock()
	<-gate
	d.mu.Lock()
	d.hanging--
	d.mu.Unlock()
}

// waiting returns nil if an operation hangs right now.
func (d *slowDisk) waiting() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hanging == 0 {
		return errors.New("no operation hangs")
	}
	return nil
}

type slowNode struct {
	*gofs.LoopbackNode
	disk *slowDisk
}

func (d *slowDisk) wrap(node gofs.InodeEmbedder) gofs.InodeEmbedder {
	return &slowNode{node.(*gofs.LoopbackNode), d}
}

func (n *slowNode) WrapChild(_ context.Context, node gofs.InodeEmbedder) gofs.InodeEmbedder {
	return n.disk.wrap(node)
}

func (n *slowNode) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	n.disk.created.Add(1)
	inode, file, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.wrap(file), fuseFlags, errno
}

func (n *slowNode) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	file, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	return n.wrap(file), fuseFlags, errno
}

func (n *slowNode) wrap(file gofs.FileHandle) gofs.FileHandle {
	if loopback, ok := file.(*gofs.LoopbackFile); ok {
		return &slowFile{loopback, n.disk}
	}
	return file
}

type slowFile struct {
	*gofs.LoopbackFile
	disk *slowDisk
}

// PassthroughFd keeps the kernel from writing to the file behind this one.
func (f *slowFile) PassthroughFd() (int, bool) { return 0, false }

func (f *slowFile) Write(ctx context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	f.disk.pass()
	return f.LoopbackFile.Write(ctx, data, at)
}

func (f *slowFile) Fsync(ctx context.Context, flags uint32) syscall.Errno {
	f.disk.pass()
	return f.LoopbackFile.Fsync(ctx, flags)
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
		created := disk.created.Load()
		disk.hang()
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
		writes := disk.created.Load() - created
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
