//go:build unix

package evidence

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestEndEndsStoppedAndStubbornProcesses(t *testing.T) {
	obedient, stopped := exec.Command("sleep", "600"), exec.Command("sleep", "600")
	stubborn := exec.Command("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 600; done")
	control := exec.Command("sleep", "600")
	stubborn.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := stubborn.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	ids := []procid.Identity{start(t, obedient), start(t, stopped), start(t, stubborn)}
	t.Cleanup(func() { syscall.Kill(-stubborn.Process.Pid, syscall.SIGKILL) })
	kept := start(t, control)
	stopped.Process.Signal(syscall.SIGSTOP)
	if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
		t.Fatal(err)
	}
	// A recycled number, and one that is nobody's.
	ids = append(ids, procid.Identity{Boot: kept.Boot, PID: kept.PID, Start: kept.Start - 1}, procid.Identity{Boot: kept.Boot, PID: 1 << 30, Start: 1})
	if err := End(context.Background(), ids, 200*time.Millisecond); err != nil {
		t.Error(err)
	}
	for _, id := range ids[:3] {
		if state := id.State(); state == procid.Alive {
			t.Errorf("%v is %v", id, state)
		}
	}
	if kept.State() != procid.Alive {
		t.Error("a process was ended that has the number of another")
	}
	if status := waitStatus(t, stopped); status.Signal() != syscall.SIGTERM {
		t.Errorf("the stopped process ended by %v: it was not continued", status.Signal())
	}
	if status := waitStatus(t, stubborn); status.Signal() != syscall.SIGKILL {
		t.Errorf("the stubborn process ended by %v", status.Signal())
	}
}

func TestEndSaysWhoDidNotEnd(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nobody is out of root's reach")
	}
	init, err := procid.Of(1)
	if err != nil {
		t.Skip(err)
	}
	if err := End(context.Background(), []procid.Identity{init}, time.Minute); err == nil || !strings.Contains(err.Error(), "process 1") {
		t.Errorf("got %v", err)
	}
}

func TestSignalRefusesAllButTheProcess(t *testing.T) {
	child := exec.Command("sleep", "600")
	id := start(t, child)
	for name, other := range map[string]procid.Identity{
		"recycled":     {Boot: id.Boot, PID: id.PID, Start: id.Start + 1},
		"another boot": {Boot: strings.Repeat("0", 36), PID: id.PID, Start: id.Start},
		"nobody":       {},
		"no number":    {Boot: id.Boot, Start: id.Start},
		"a group":      {Boot: id.Boot, PID: -id.PID, Start: id.Start},
	} {
		if err := Signal(other, syscall.SIGKILL); err == nil {
			t.Errorf("%s: signalled", name)
		}
	}
	if id.State() != procid.Alive {
		t.Fatal("the child died")
	}
	if err := Signal(id, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	child.Wait()
	if err := Signal(id, syscall.SIGKILL); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("after its end: %v", err)
	}
}

func waitStatus(t *testing.T, cmd *exec.Cmd) syscall.WaitStatus {
	t.Helper()
	cmd.Wait()
	return cmd.ProcessState.Sys().(syscall.WaitStatus)
}

func start(t *testing.T, cmd *exec.Cmd) procid.Identity {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	id, err := procid.Of(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
