package evidence

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func TestLookFindsTheMarksOfARealProcess(t *testing.T) {
	child := exec.Command("sleep", "600")
	child.Env = append(os.Environ(), "MARK="+deadCookie)
	id := start(t, child)
	if err := unix.Prlimit(id.PID, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: deadLocks, Max: unlimited}, nil); err != nil {
		t.Skip("setting a limit: ", err)
	}
	processes, err := Look(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(processes, func(p Process) bool { return p.Identity == id })
	if i < 0 {
		t.Fatalf("the child is not among %d processes", len(processes))
	}
	record := deadOwner()
	if items := processes[i].markedBy(&record); len(items) != 2 || items[0].Kind != Cookie || items[1].Kind != Limit {
		t.Errorf("got %v", items)
	}
	if !slices.Equal(processes[i].Command, child.Args) || processes[i].Parent != os.Getpid() {
		t.Errorf("got %+v", processes[i].Info)
	}
}

func TestLookEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Look(ctx, nil); err == nil {
		t.Error("no error")
	}
}

func BenchmarkLook(b *testing.B) {
	n := 0
	for b.Loop() {
		processes, err := Look(context.Background(), nil)
		if err != nil {
			b.Fatal(err)
		}
		n = len(processes)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/process")
}
