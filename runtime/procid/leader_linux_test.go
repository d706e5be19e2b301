package procid_test

import (
	"io"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/internal/procfs"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func init() {
	// main then runs on the leader, which endLeader has to be on.
	runtime.LockOSThread()
}

// endLeader ends the thread whose number is the PID. The process goes on in
// another thread until its stdin ends.
func endLeader() {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	unix.RawSyscall(unix.SYS_EXIT, 0, 0, 0)
}

func TestAProcessThatItsLeaderLeftIsAlive(t *testing.T) {
	child := startChildInRole(t, "end the leader before its threads")
	id, err := procid.Of(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the leader to be shown as a zombie", func() bool {
		stat, err := procfs.ReadStat(id.PID)
		return err == nil && stat.State == 'Z'
	})
	if state := id.State(); state != procid.Alive {
		t.Errorf("a process with living threads is %v", state)
	}
	child.Process.Kill()
	waitFor(t, "the killed child to be a zombie", func() bool { return id.State() == procid.Zombie })
}
