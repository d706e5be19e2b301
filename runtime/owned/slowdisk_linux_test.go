package owned_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// A slowDisk is a file system in user space that passes everything on to a
// folder, until it is told to hang: nothing is made, opened or written then. It
// is served by a process of its own, since who hangs in a file system that it
// serves cannot be killed.
type slowDisk struct {
	folder string // where it is mounted
	behind string
}

func init() {
	roles["slow disk"] = func() { serveSlowDisk(os.Args[1], os.Args[2]) }
}

func mountSlowDisk(t *testing.T) *slowDisk {
	t.Helper()
	d := &slowDisk{folder: t.TempDir(), behind: t.TempDir()}
	server := exec.Command(os.Args[0], d.folder, d.behind)
	server.Env = append(os.Environ(), roleVariable+"=slow disk")
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		d.release()
		stdin.Close()
		<-ended
		if syscall.Unmount(d.folder, syscall.MNT_DETACH) == nil {
			t.Error("the slow disk was still mounted after its process had ended")
		}
	})
	for deadline := time.Now().Add(30 * time.Second); !d.says("mounted"); time.Sleep(3 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- nil
			if os.Getenv("HOLDFAST_E2E") != "" && os.Geteuid() == 0 {
				t.Fatalf("no file system in user space: %v", err)
			}
			t.Skipf("no file system in user space here: %v", err)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the slow disk does not come up")
		}
	}
	return d
}

func (d *slowDisk) hang()               { os.WriteFile(filepath.Join(d.behind, "hang"), nil, 0o600) }
func (d *slowDisk) release()            { os.Remove(filepath.Join(d.behind, "hang")) }
func (d *slowDisk) hangs() bool         { return d.says("hangs") }
func (d *slowDisk) says(it string) bool { return exists(filepath.Join(d.behind, it)) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func serveSlowDisk(folder, behind string) {
	root, err := gofs.NewLoopbackRoot(behind)
	if err != nil {
		os.Exit(1)
	}
	server, err := gofs.Mount(folder, slowNode{root.(*gofs.LoopbackNode), behind}, &gofs.Options{
		MountOptions: fuse.MountOptions{DirectMount: true, FsName: "slowdisk"},
	})
	if err != nil {
		os.Exit(1)
	}
	os.WriteFile(filepath.Join(behind, "mounted"), nil, 0o600)
	io.Copy(io.Discard, os.Stdin)
	// Somebody may be closing a file.
	for deadline := time.Now().Add(20 * time.Second); server.Unmount() != nil; time.Sleep(3 * time.Millisecond) {
		if time.Now().After(deadline) {
			os.Exit(1)
		}
	}
	server.Wait()
}

type slowNode struct {
	*gofs.LoopbackNode
	behind string
}

func (n slowNode) WrapChild(_ context.Context, node gofs.InodeEmbedder) gofs.InodeEmbedder {
	return slowNode{node.(*gofs.LoopbackNode), n.behind}
}

// longestHang bounds a hang: who waits for a disk in the kernel cannot end.
const longestHang = 20 * time.Second

// pass waits as long as the disk hangs.
func (n slowNode) pass() {
	hang, hangs := filepath.Join(n.behind, "hang"), filepath.Join(n.behind, "hangs")
	for deadline := time.Now().Add(longestHang); exists(hang); time.Sleep(time.Millisecond) {
		if !exists(hangs) {
			os.WriteFile(hangs, nil, 0o600)
		}
		if time.Now().After(deadline) {
			os.Remove(hang)
		}
	}
	os.Remove(hangs)
}

func (n slowNode) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	n.pass()
	inode, file, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.slow(file), fuseFlags, errno
}

func (n slowNode) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	n.pass()
	file, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	return n.slow(file), fuseFlags, errno
}

func (n slowNode) slow(file gofs.FileHandle) gofs.FileHandle {
	if loopback, ok := file.(*gofs.LoopbackFile); ok {
		return slowFile{loopback, n}
	}
	return file
}

type slowFile struct {
	*gofs.LoopbackFile
	node slowNode
}

// PassthroughFd keeps the kernel from writing to the file behind this one.
func (f slowFile) PassthroughFd() (int, bool) { return 0, false }

func (f slowFile) Write(ctx context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	f.node.pass()
	return f.LoopbackFile.Write(ctx, data, at)
}
