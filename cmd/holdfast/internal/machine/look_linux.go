package machine

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"strconv"
	"strings"
)

// maxCommand is how many words of a command line are of interest.
const maxCommand = 20

func commandOf(pid int) []string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if text = bytes.TrimRight(text, "\x00"); len(text) == 0 {
		return nil
	}
	words := strings.SplitN(string(text), "\x00", maxCommand+1)
	return words[:min(len(words), maxCommand)]
}

// listeners returns the listening sockets of this network namespace.
func listeners() (map[uint64]*listener, error) {
	all := map[uint64]*listener{}
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		file, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // A kernel without IPv6.
		}
		if err != nil {
			return nil, err
		}
		found, err := parseListeners(file)
		file.Close()
		if err != nil {
			return nil, err
		}
		maps.Copy(all, found)
	}
	return all, nil
}

// socketsOf returns the inodes of the sockets that a process has open; none if
// it may not be looked at.
func socketsOf(pid int) []uint64 {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	descriptors, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var sockets []uint64
	seen := map[uint64]bool{}
	for _, descriptor := range descriptors {
		link, _ := os.Readlink(dir + "/" + descriptor.Name())
		if inode, ok := parseSocket(link); ok && !seen[inode] {
			seen[inode] = true
			sockets = append(sockets, inode)
		}
	}
	return sockets
}
