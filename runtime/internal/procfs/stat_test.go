package procfs

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tail is a line of /proc/PID/stat from field 4 on, with the fields that are
// read set to values that are all different.
const tail = " 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 17 0 22222 46555136 3791 18446744073709551615"

func TestParseStatReadsTheNameToItsLastParenthesis(t *testing.T) {
	for _, name := range []string{"sh", "a b", ")", "((", ") R 1 1 1 (", "x) Z 0 0 0 0 -1", "", "line\nend", "\xff\xfe"} {
		stat, err := ParseStat([]byte("10 (" + name + ") S" + tail + "\n"))
		if err != nil {
			t.Errorf("name %q: %v", name, err)
			continue
		}
		want := Stat{PID: 10, Name: name, State: 'S', Parent: 11, Group: 12, Session: 13, Threads: 17, Start: 22222}
		if stat != want {
			t.Errorf("name %q: got %+v, want %+v", name, stat, want)
		}
	}
}

func TestParseStatRefusesWhatTheKernelDoesNotWrite(t *testing.T) {
	for name, line := range map[string]string{
		"empty":                   "",
		"no name":                 "10 S" + tail,
		"unclosed name":           "10 (sh S" + tail,
		"closed before opened":    "10 )sh( S" + tail,
		"no number":               "(sh) S" + tail,
		"number zero":             "0 (sh) S" + tail,
		"negative number":         "-5 (sh) S" + tail,
		"number of 40 bits":       "1099511627776 (sh) S" + tail,
		"state of two letters":    "10 (sh) SS" + tail,
		"cut before the start":    "10 (sh) S" + strings.SplitAfter(tail, "17 0")[0],
		"start that is no number": "10 (sh) S" + strings.Replace(tail, "22222", "2222x", 1),
		"negative group":          "10 (sh) S" + strings.Replace(tail, " 12 ", " -12 ", 1),
	} {
		if stat, err := ParseStat([]byte(line)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, stat)
		}
	}
}

func TestDeadTellsAZombieFromALeaderThatItsThreadsOutlive(t *testing.T) {
	for _, test := range []struct {
		stat Stat
		dead bool
	}{
		{Stat{State: 'Z', Threads: 1}, true},
		{Stat{State: 'Z', Threads: 0}, true},
		{Stat{State: 'Z', Threads: 2}, false},
		{Stat{State: 'X', Threads: 3}, true},
		{Stat{State: 'S', Threads: 1}, false},
		{Stat{State: 'T', Threads: 1}, false},
		{Stat{State: 'D', Threads: 1}, false},
	} {
		if got := test.stat.Dead(); got != test.dead {
			t.Errorf("%+v: dead %v, want %v", test.stat, got, test.dead)
		}
	}
}

func TestReadStatOfARealChild(t *testing.T) {
	needProc(t)
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	stat, err := ReadStat(child.Process.Pid)
	if err != nil {
		t.Error(err)
	}
	if stat.PID != child.Process.Pid || stat.Parent != os.Getpid() || stat.Start == 0 {
		t.Errorf("got %+v for child %d of %d", stat, child.Process.Pid, os.Getpid())
	}
	pids, err := Processes()
	if err != nil || !slices.Contains(pids, child.Process.Pid) || !slices.IsSorted(pids) {
		t.Errorf("Processes: %v, %v", pids, err)
	}
	child.Process.Kill()
	child.Wait()
	if _, err := ReadStat(child.Process.Pid); !os.IsNotExist(err) {
		t.Errorf("after the wait: %v, want that there is none", err)
	}
}

// FuzzParseStat protects the reader from a process that names itself: what
// comes back is an error or what the kernel wrote around the name.
func FuzzParseStat(f *testing.F) {
	f.Add([]byte("sh"), []byte("10 (sh) S"+tail))
	f.Add([]byte(") Z 1 1 1 1 1 ("), []byte("1 ) ( S"))
	f.Fuzz(func(t *testing.T, name, line []byte) {
		stat, err := ParseStat(line)
		if err == nil && (stat.PID < 1 || stat.Parent < 0 || stat.Group < 0 || stat.Session < 0 || stat.Threads < 0) {
			t.Errorf("%q parsed as %+v", line, stat)
		}
		stat, err = ParseStat([]byte("10 (" + string(name) + ") S" + tail))
		if err != nil || stat.Name != string(name) || stat.Start != 22222 {
			t.Errorf("name %q: %+v, %v", name, stat, err)
		}
	})
}

func BenchmarkReadStat(b *testing.B) {
	needProc(b)
	for b.Loop() {
		if _, err := ReadStat(os.Getpid()); err != nil {
			b.Fatal(err)
		}
	}
}

func needProc(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("there is no Linux /proc on " + runtime.GOOS)
	}
}
