package evidence

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
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

func locksOf(pid int) uint64 { return census.LocksOf(pid) }

func readProc(pid int, name string) []byte {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name)
	if err != nil {
		return nil // Hidden or gone: no evidence either way.
	}
	return text
}

// membersOf returns the processes in a cgroup and below it. A ledger that is
// damaged may name any directory.
func membersOf(leaf string) []int {
	if !strings.HasPrefix(leaf, "/sys/fs/cgroup/") {
		return nil
	}
	return census.LeafMembers(leaf)
}
