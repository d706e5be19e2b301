package census

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestLocksOfIsWhatLimitsSays(t *testing.T) {
	child := exec.Command("sleep", "600")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	const locks = 1<<45 + 7
	if err := unix.Prlimit(child.Process.Pid, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: locks, Max: unix.RLIM_INFINITY}, nil); err != nil {
		t.Skip("setting a limit: ", err)
	}
	if got := LocksOf(child.Process.Pid); got != locks {
		t.Errorf("prlimit says %d", got)
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(child.Process.Pid) + "/limits")
	if got := parseLocks(text); got != locks || err != nil {
		t.Errorf("/proc/PID/limits says %d, %v", got, err)
	}
}

// The tests of cgroups need a machine that lets one be made; a directory looks
// the same to who reads it.
func TestLeafMembersLooksBelow(t *testing.T) {
	leaf := t.TempDir()
	for directory, procs := range map[string]string{"": "12\n13\n", "/a": "14\n", "/a/b/c/d": "0\n1\n15\n"} {
		if err := os.MkdirAll(leaf+directory, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(leaf+directory+"/cgroup.procs", []byte(procs), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := LeafMembers(leaf)
	if slices.Sort(got); !slices.Equal(got, []int{12, 13, 14, 15}) {
		t.Errorf("got %v", got)
	}
	if got := LeafMembers(""); got != nil {
		t.Errorf("no cgroup has %v", got)
	}
}

// FuzzParseLocks protects who looks from limits that are formatted otherwise.
func FuzzParseLocks(f *testing.F) {
	f.Add([]byte("\nMax file locks            unlimited            unlimited            locks     \n"))
	f.Add([]byte("\nMax file locks            1099511627783            unlimited            locks     \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n := parseLocks(text)
		has := slices.ContainsFunc(strings.Fields(string(text)), func(field string) bool {
			return strings.TrimLeft(field, "0") == strconv.FormatUint(n, 10)
		})
		if n != 0 && !has {
			t.Errorf("%q gave %d", text, n)
		}
	})
}
