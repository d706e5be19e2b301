package status_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func init() {
	programs["slowdisk"] = runSlowDisk
}

// runSlowDisk serves a file system in user space that passes everything on to a
// folder, until standard input ends. It answers each command with one line.
func runSlowDisk() {
	gate := newGate()
	server, err := mountGated(os.Args[1], os.Args[2], gate)
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(gate.obey(commands.Text()))
	}
	if err != nil {
		return
	}
	gate.obey("release")
	if err := server.Unmount(); err != nil {
		fmt.Fprintln(os.Stderr, "unmounting the slow disk:", err)
		os.Exit(1)
	}
	server.Wait()
}

func mountGated(folder, behind string, gate *gate) (*fuse.Server, error) {
	root, err := gofs.NewLoopbackRoot(behind)
	if err != nil {
		return nil, err
	}
	return gofs.Mount(folder, gate.wrap(root), &gofs.Options{
		MountOptions: fuse.MountOptions{DirectMount: true, FsName: "slowdisk"},
	})
}

// longestHang bounds a hang. A process that waits for a disk in the kernel cannot
// be killed, and while it lives its end of our standard input is open: a test
// that has failed would hang for ever, and we with it.
const longestHang = 20 * time.Second

// A gate is what writes have to pass.
type gate struct {
	mu      sync.Mutex
	open    chan struct{} // closed unless the disk hangs
	opener  *time.Timer   // closes it in the end
	hanging int           // how many operations wait for it
	created int           // files
}

func newGate() *gate {
	g := &gate{open: make(chan struct{})}
	g.opener = time.AfterFunc(0, func() { close(g.open) })
	<-g.open
	return g
}

func (g *gate) obey(command string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch command {
	case "hang":
		open := make(chan struct{})
		g.open = open
		g.opener = time.AfterFunc(longestHang, func() { close(open) })
	case "release":
		if g.opener.Stop() {
			close(g.open)
		}
	case "hanging":
		return fmt.Sprint(g.hanging)
	case "created":
		return fmt.Sprint(g.created)
	}
	return command
}

func (g *gate) pass() {
	g.mu.Lock()
	open := g.open
	g.hanging++
	g.mu.Unlock()
	<-open
	g.mu.Lock()
	g.hanging--
	g.mu.Unlock()
}

func (g *gate) wrap(node gofs.InodeEmbedder) gofs.InodeEmbedder {
	return &gatedNode{node.(*gofs.LoopbackNode), g}
}

type gatedNode struct {
	*gofs.LoopbackNode
	gate *gate
}

func (n *gatedNode) WrapChild(_ context.Context, node gofs.InodeEmbedder) gofs.InodeEmbedder {
	return n.gate.wrap(node)
}

func (n *gatedNode) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	n.gate.mu.Lock()
	n.gate.created++
	n.gate.mu.Unlock()
	inode, file, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.gated(file), fuseFlags, errno
}

func (n *gatedNode) Open(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	file, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	return n.gated(file), fuseFlags, errno
}

func (n *gatedNode) gated(file gofs.FileHandle) gofs.FileHandle {
	if loopback, ok := file.(*gofs.LoopbackFile); ok {
		return &gatedFile{loopback, n.gate}
	}
	return file
}

type gatedFile struct {
	*gofs.LoopbackFile
	gate *gate
}

// PassthroughFd keeps the kernel from writing to the file behind this one.
func (f *gatedFile) PassthroughFd() (int, bool) { return 0, false }

func (f *gatedFile) Write(ctx context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	f.gate.pass()
	return f.LoopbackFile.Write(ctx, data, at)
}

func (f *gatedFile) Fsync(ctx context.Context, flags uint32) syscall.Errno {
	f.gate.pass()
	return f.LoopbackFile.Fsync(ctx, flags)
}
