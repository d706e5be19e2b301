package owned

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A leaf is the cgroup in which the children of an owner are born.
type leaf struct {
	path      string
	directory *os.File
}

// leafPrefix begins the name of every leaf; the identity of the owner and a
// part of its cookie follow.
const leafPrefix = "holdfast-"

// maxLeafPath keeps the leaf's path within a line of the supervisor's protocol.
const maxLeafPath = 200

// makeLeaf makes a cgroup below that of this process, if the system lets it and
// a process can be born in it.
func makeLeaf(cookie string) (leaf, error) {
	parent, err := ownCgroup()
	if err != nil {
		return leaf{}, err
	}
	removeDeadLeaves(parent)
	path := filepath.Join(parent, leafPrefix+procid.Self().String()+"-"+cookie[:8])
	if len(path) > maxLeafPath || strings.ContainsAny(path, " \t\n") {
		return leaf{}, fmt.Errorf("the path of the cgroup is too long or has spaces: %s", path)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return leaf{}, fmt.Errorf("making a cgroup: %w", err)
	}
	made := leaf{path: path}
	if err := made.probe(); err != nil {
		made.remove()
		return leaf{}, err
	}
	return made, nil
}

func (l *leaf) probe() error {
	if _, err := os.Stat(filepath.Join(l.path, "cgroup.kill")); err != nil {
		return fmt.Errorf("the kernel cannot kill a cgroup (Linux 5.14 can): %w", err)
	}
	directory, err := os.Open(l.path)
	if err != nil {
		return fmt.Errorf("opening the cgroup: %w", err)
	}
	l.directory = directory
	attributes := &syscall.SysProcAttr{}
	l.enter(attributes)
	// The program does not exist, so that nothing runs: a process is born in
	// the cgroup and fails to execute.
	_, err = os.StartProcess(filepath.Join(l.path, "no-program"), []string{""}, &os.ProcAttr{Sys: attributes})
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("starting a process in the cgroup: %w", err)
	}
	return nil
}

// reopenLeaf opens a leaf that this process made before an exec.
func reopenLeaf(path string) leaf {
	if path == "" {
		return leaf{}
	}
	directory, _ := os.Open(path)
	return leaf{path: path, directory: directory}
}

// enter makes a process be born in the leaf, unless it has another cgroup.
func (l leaf) enter(attributes *syscall.SysProcAttr) {
	if l.directory == nil || attributes.UseCgroupFD {
		return
	}
	attributes.UseCgroupFD = true
	attributes.CgroupFD = int(l.directory.Fd())
}

// remove removes the leaf, if nothing is left in it.
func (l leaf) remove() {
	if l.directory != nil {
		l.directory.Close()
	}
	census.RemoveLeaf(l.path)
}

// ownCgroup returns the directory of the cgroup v2 that this process is in.
func ownCgroup() (string, error) {
	own, err := ownCgroupName()
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", fmt.Errorf("reading the mounts: %w", err)
	}
	for line := range strings.Lines(string(mounts)) {
		fields, after, _ := strings.Cut(line, " - ")
		words := strings.Fields(fields)
		if !strings.HasPrefix(after, "cgroup2 ") || len(words) < 5 {
			continue
		}
		root, point := words[3], words[4] // See proc_pid_mountinfo(5).
		below, err := filepath.Rel(root, own)
		if err == nil && below != ".." && !strings.HasPrefix(below, "../") {
			return filepath.Join(point, below), nil
		}
	}
	return "", errors.New("no cgroup v2 is mounted that this process is in")
}

func ownCgroupName() (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", fmt.Errorf("reading the cgroup of this process: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if name, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); found {
			return name, nil
		}
	}
	return "", errors.New("this process is in no cgroup v2")
}

// removeDeadLeaves removes the empty leaves of owners that died together with
// their supervisor. One that is not empty is kept for "holdfast sweep", which
// shows before it kills.
func removeDeadLeaves(parent string) {
	siblings, _ := os.ReadDir(parent)
	for _, sibling := range siblings {
		name, found := strings.CutPrefix(sibling.Name(), leafPrefix)
		end := strings.LastIndexByte(name, '-')
		if !found || end < 0 {
			continue
		}
		owner, err := procid.Parse(name[:end])
		if err == nil && owner.State() == procid.Gone {
			unix.Rmdir(filepath.Join(parent, sibling.Name()))
		}
	}
}
