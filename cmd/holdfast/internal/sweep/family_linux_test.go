package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// roleVariable makes the test program an owner.
const roleVariable = "SWEEP_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) == "" {
		os.Exit(m.Run())
	}
	if err := beOwner(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A family is an owner with what it started.
type family struct {
	Owner      procid.Identity
	Supervisor procid.Identity
	Child      procid.Identity // started with owned.Start
	Daemon     procid.Identity // a grandchild that left session and group
	Wiped      procid.Identity // another that also threw away its environment
	Kept       procid.Identity // noted as meant to outlive the owner
}

// beOwner starts a family, tells of it, and waits for the end of stdin.
func beOwner() error {
	child := exec.Command("sleep", "600")
	if _, err := owned.Start(child); err != nil {
		return err
	}
	// It forks when it is told to: a limit is set right after the start.
	forker := exec.Command("sh", "-c", `read go
		setsid sh -c 'echo daemon $$; exec sleep 600' &
		setsid env -i /bin/sh -c 'echo wiped $$; exec sleep 600' &`)
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	forker.Stdout = writer
	start, err := forker.StdinPipe()
	if err != nil {
		return err
	}
	if _, err := owned.Start(forker); err != nil {
		return err
	}
	if _, err := io.WriteString(start, "go\n"); err != nil {
		return err
	}
	pids := map[string]int{}
	for len(pids) < 2 {
		var name string
		var pid int
		if _, err := fmt.Fscanln(reader, &name, &pid); err != nil {
			return err
		}
		pids[name] = pid
	}
	kept := exec.Command("sleep", "600")
	kept.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := kept.Start(); err != nil {
		return err
	}
	f := family{Owner: procid.Self()}
	for pid, id := range map[int]*procid.Identity{
		child.Process.Pid: &f.Child, pids["daemon"]: &f.Daemon, pids["wiped"]: &f.Wiped,
		kept.Process.Pid: &f.Kept, owned.Containment().Supervisor: &f.Supervisor,
	} {
		if *id, err = procid.Of(pid); err != nil {
			return err
		}
	}
	l, err := ledger.Open("", f.Owner)
	if err != nil {
		return err
	}
	if err := l.Append(ledger.Entry{Event: ledger.EventKeep, Process: f.Kept, Group: f.Kept.PID, Reason: "it serves others too"}); err != nil {
		return err
	}
	json.NewEncoder(os.Stdout).Encode(f)
	io.Copy(io.Discard, os.Stdin)
	return nil
}

// startFamily starts an owner; all of its family ends with the test.
func startFamily(t *testing.T, dir string) family {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=owner", ledger.DirVariable+"="+dir)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var f family
	if err := json.NewDecoder(out).Decode(&f); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, id := range []procid.Identity{f.Child, f.Daemon, f.Wiped, f.Kept} {
			kill(id)
		}
	})
	return f
}

// killWithSupervisor kills the owner and its supervisor at the same moment, so
// that nobody is left to clean up.
func (f family) killWithSupervisor(t *testing.T) {
	t.Helper()
	syscall.Kill(f.Owner.PID, syscall.SIGSTOP)
	kill(f.Supervisor)
	kill(f.Owner)
	waitFor(t, "the owner and its supervisor to end", func() bool { return ended(f.Owner) && ended(f.Supervisor) })
	for _, id := range []procid.Identity{f.Child, f.Daemon, f.Wiped, f.Kept} {
		if ended(id) {
			t.Fatalf("%v did not survive: there is nothing to sweep", id)
		}
	}
}

// startStranger starts a process in its own group that nobody noted.
func startStranger(t *testing.T) procid.Identity {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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

// noteRecycled writes the file of a dead owner, the child and group of which
// had the numbers that the process has now.
func noteRecycled(t *testing.T, dir string, now procid.Identity) {
	t.Helper()
	dead := procid.Identity{Boot: now.Boot, PID: 1 << 30, Start: 1}
	before := procid.Identity{Boot: now.Boot, PID: now.PID, Start: now.Start - 1}
	note(t, dir, dead, ledger.Entry{Event: ledger.EventStart, Process: before, Group: now.PID, Session: now.PID})
}

// note writes the file of an owner.
func note(t *testing.T, dir string, owner procid.Identity, entries ...ledger.Entry) {
	t.Helper()
	l, err := ledger.Open(dir, owner)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, dir string) int {
	t.Helper()
	items, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(items)
}

func ended(id procid.Identity) bool {
	state := id.State()
	return state == procid.Gone || state == procid.Zombie
}

func kill(id procid.Identity) {
	if id.State() == procid.Alive {
		syscall.Kill(id.PID, syscall.SIGKILL)
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("waited 20 s in vain for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
