package evidence

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxCommand is how many words of a command line are of interest.
const maxCommand = 20

func commandOf(pid int) []string {
	text := bytes.TrimRight(readProc(pid, "cmdline"), "\x00")
	if len(text) == 0 {
		return nil
	}
	words := strings.SplitN(string(text), "\x00", maxCommand+1)
	return words[:min(len(words), maxCommand)]
}

func environOf(pid int) []byte { return readProc(pid, "environ") }

// locksOf asks prlimit(2), which needs permission over the process, and then
// /proc/PID/limits, which does not: it still tells of programs that changed
// their user or group.
func locksOf(pid int) uint64 {
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit); err == nil {
		return limit.Cur
	}
	return parseLocks(readProc(pid, "limits"))
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

func readProc(pid int, name string) []byte {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name)
	if err != nil {
		return nil // Hidden or gone: no evidence either way.
	}
	return text
}

// membersOf returns the processes in a cgroup and below it.
func membersOf(leaf string) []int {
	if !strings.HasPrefix(leaf, "/sys/fs/cgroup/") {
		return nil
	}
	var pids []int
	filepath.WalkDir(leaf, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "cgroup.procs" {
			return nil
		}
		text, _ := os.ReadFile(path)
		for _, field := range bytes.Fields(text) {
			if pid, err := strconv.Atoi(string(field)); err == nil && pid > 1 {
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids
}
