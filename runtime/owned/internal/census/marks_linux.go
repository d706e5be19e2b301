package census

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// LocksOf returns the soft limit on file locks of a process, 0 if it is hidden.
// prlimit(2) needs permission over the process; /proc/PID/limits does not, and
// still tells of programs that changed their user or group.
func LocksOf(pid int) uint64 {
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit); err == nil {
		return limit.Cur
	}
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
	return parseLocks(text)
}

// parseLocks finds the soft limit in /proc/PID/limits; 0 if there is none.
func parseLocks(limits []byte) uint64 {
	_, rest, _ := bytes.Cut(limits, []byte("\nMax file locks "))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	locks, err := strconv.ParseUint(string(fields[0]), 10, 64)
	if err != nil {
		return 0 // "unlimited"
	}
	return locks
}

// LeafMembers returns the processes in a cgroup and below it; none of an empty
// name.
func LeafMembers(leaf string) []int {
	var pids []int
	for _, directory := range leaves(leaf) {
		text, _ := os.ReadFile(filepath.Join(directory, "cgroup.procs"))
		for _, field := range bytes.Fields(text) {
			if pid, err := strconv.Atoi(string(field)); err == nil && pid > 1 {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// RemoveLeaf removes an empty cgroup and what is below it. It leaves one that
// still has processes.
func RemoveLeaf(leaf string) {
	directories := leaves(leaf)
	slices.Reverse(directories) // What is below goes first.
	for _, directory := range directories {
		unix.Rmdir(directory)
	}
}

// leaves returns a cgroup and those below it, parents first.
func leaves(leaf string) (directories []string) {
	if leaf == "" {
		return nil
	}
	filepath.WalkDir(leaf, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			directories = append(directories, path)
		}
		return nil // One that has gone meanwhile has nobody in it.
	})
	return directories
}
