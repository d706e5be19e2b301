package campaign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An owner is a process that carries out an order.
type owner struct {
	*testing.T
	cmd        *exec.Cmd
	process    *os.Process // in strict mode cmd is its monitor
	stdin      io.Writer
	out        *bufio.Scanner
	errors     bytes.Buffer
	tier       string
	supervisor procid.Identity // nobody for plain children
}

// startOwner starts an owner and waits until it has started its children.
func startOwner(t *testing.T, o order, env ...string) *owner {
	t.Helper()
	if o.Grace == 0 {
		o.Grace = 400 * time.Millisecond
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	w := &owner{T: t, cmd: exec.Command("/proc/self/exe")}
	w.cmd.Env = append(append(os.Environ(), env...), orderVariable+"="+string(text))
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	w.cmd.Stderr = &w.errors
	if w.stdin, err = w.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.out = bufio.NewScanner(out)
	t.Cleanup(w.kill)
	w.out.Scan()
	var supervisor, pid int
	if _, err := fmt.Sscanf(w.out.Text(), "ready %s %d %d", &w.tier, &supervisor, &pid); err != nil {
		w.kill()
		t.Fatalf("the owner says %q: %s", w.out.Text(), &w.errors)
	}
	if w.process, err = os.FindProcess(pid); err != nil {
		t.Fatal(err)
	}
	if o.Plain {
		return w
	}
	if w.supervisor, err = procid.Of(supervisor); err != nil && supervisor != 0 {
		t.Fatal(err)
	}
	if o.Tier != owned.Automatic && w.tier != o.Tier.String() {
		t.Fatalf("the %v tier does not work here", o.Tier)
	}
	return w
}

// workingTiers returns the tiers that work here, lowest first. Only a cgroup
// that may be written to is not to be had everywhere.
func workingTiers(t *testing.T) []owned.Tier {
	t.Helper()
	highest := startOwner(t, order{}).tier
	for i, tier := range tiers {
		if tier.String() == highest {
			return tiers[:i+1]
		}
	}
	t.Fatalf("the highest tier here is %s", highest)
	return nil
}

func (w *owner) tell(line string) { fmt.Fprintln(w.stdin, line) }

func (w *owner) kill() {
	if w.process != nil {
		w.process.Kill()
	} else {
		w.cmd.Process.Kill()
	}
	w.wait()
}

func (w *owner) wait() {
	for w.out.Scan() {
	}
	w.cmd.Wait()
}

// awaitSupervisor waits until all has been done about the children of a dead
// owner: its supervisor has ended.
func (w *owner) awaitSupervisor() {
	w.Helper()
	await(w.T, "the supervisor to end", func() bool { return w.supervisor.State() != procid.Alive })
}

// waysToDie are the columns of the tables.
var waysToDie = []struct {
	name string
	die  func(*owner)
}{
	{"kill -9", func(w *owner) { w.process.Kill() }},
	{"exit", func(w *owner) { w.tell("exit") }},
	{"SIGTERM", func(w *owner) { w.process.Signal(syscall.SIGTERM) }},
	{"panic", func(w *owner) { w.tell("panic") }},
}

var tiers = []owned.Tier{owned.Portable, owned.Marks, owned.Cgroup}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// living returns those that are alive. A stopped process is, a zombie is not.
func living(ids []procid.Identity) (alive []procid.Identity) {
	for _, id := range ids {
		if id.State() == procid.Alive {
			alive = append(alive, id)
		}
	}
	return alive
}

// end kills what a test has left.
func end(ids []procid.Identity) {
	for _, id := range living(ids) {
		syscall.Kill(id.PID, syscall.SIGKILL)
	}
}

// name says who somebody is.
func name(id procid.Identity) string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", id.PID))
	return fmt.Sprintf("%d %q", id.PID, bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
}

// marked returns the living processes that have a variable in their
// environment, and their descendants.
func marked(variable string) (found []procid.Identity) {
	all, _ := procid.All()
	in := map[int]bool{}
	for {
		before := len(found)
		for _, info := range all {
			if in[info.PID] || info.State != procid.Alive {
				continue
			}
			if in[info.Parent] && info.Parent != 1 || has(info.PID, variable) {
				in[info.PID] = true
				found = append(found, info.Identity)
			}
		}
		if len(found) == before {
			return found
		}
	}
}

func has(pid int, variable string) bool {
	environ, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	return strings.Contains("\x00"+string(environ), "\x00"+variable+"\x00")
}

var tokens atomic.Int64

// token returns a decimal number that no other process has on its mind.
func token() string {
	return fmt.Sprintf("%d%06d", os.Getpid(), tokens.Add(1))
}
