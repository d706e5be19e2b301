//go:build unix

package supervise

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestMain(m *testing.M) {
	Hook()
	if role := os.Getenv("TEST_ROLE"); role != "" {
		play(role)
		return
	}
	os.Exit(m.Run())
}

// eachSupervisor runs a test with the script in every shell of the machine and
// with its twin in Go. With HOLDFAST_E2E=1 a missing shell fails.
func eachSupervisor(t *testing.T, f func(t *testing.T, command func() *exec.Cmd)) {
	for _, shell := range [][]string{{"/bin/sh"}, {"dash"}, {"busybox", "sh"}, {"mksh"}, {"bash"}} {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell[0])
			if err != nil {
				if os.Getenv("HOLDFAST_E2E") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			f(t, Shell(path, shell[1:]...))
		})
	}
	t.Run("without /proc", func(t *testing.T) {
		t.Parallel()
		if birth(1) != "1" {
			t.Skip("there is no /proc here anyway")
		}
		if _, err := exec.LookPath("ps"); err != nil {
			t.Skip(err)
		}
		f(t, func() *exec.Cmd {
			cmd := Shell("/bin/sh")()
			cmd.Env = append(cmd.Env, "PROC=")
			return cmd
		})
	})
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		f(t, Twin(self))
	})
}

// A run is a supervisor and what was started for it to look after.
type run struct {
	*testing.T
	cmd   *exec.Cmd
	pipe  *os.File
	proc  bool
	ended chan struct{}
}

func startRun(t *testing.T, command func() *exec.Cmd) *run {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command()
	given := slices.Clone(cmd.Env)
	prepare(cmd, in)
	cmd.Env = append(cmd.Env, given...) // The last one counts.
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	r := &run{T: t, cmd: cmd, pipe: out, ended: make(chan struct{}), proc: usesProc(cmd)}
	go func() {
		cmd.Wait()
		close(r.ended)
	}()
	t.Cleanup(func() {
		out.Close()
		cmd.Process.Kill()
		<-r.ended
		if t.Failed() {
			t.Logf("stderr of the supervisor:\n%s", &stderr)
		}
	})
	return r
}

func usesProc(cmd *exec.Cmd) bool { return !slices.Contains(cmd.Env, "PROC=") }

func (r *run) say(format string, arguments ...any) {
	r.Helper()
	if _, err := fmt.Fprintf(r.pipe, format, arguments...); err != nil {
		r.Fatal(err)
	}
}

// end closes the pipe and waits for the supervisor's end.
func (r *run) end() {
	r.Helper()
	r.pipe.Close()
	r.await("the end of the supervisor", func() bool {
		select {
		case <-r.ended:
			return true
		default:
			return false
		}
	})
	if code := r.cmd.ProcessState.ExitCode(); code != 0 {
		r.Errorf("the supervisor ended with %d", code)
	}
}

func (r *run) await(what string, done func() bool) {
	r.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.Fatalf("waited in vain for %s", what)
		}
	}
}

// A process of a test, reaped as soon as it ends.
type child struct {
	*exec.Cmd
	id     procid.Identity
	reaped chan struct{}
}

// reap returns the child and waits for it in the background.
func reap(cmd *exec.Cmd, id procid.Identity) *child {
	c := &child{cmd, id, make(chan struct{})}
	go func() {
		cmd.Wait()
		close(c.reaped)
	}()
	return c
}

func (r *run) start(name string, arguments ...string) *child {
	r.Helper()
	cmd := exec.Command(name, arguments...)
	return r.startCmd(cmd)
}

func (r *run) startCmd(cmd *exec.Cmd) *child {
	r.Helper()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	if err := cmd.Start(); err != nil {
		r.Fatal(err)
	}
	id, err := procid.Of(cmd.Process.Pid)
	if err != nil {
		r.Fatal(err)
	}
	c := reap(cmd, id)
	r.Cleanup(func() {
		if c.alive() {
			syscall.Kill(-id.PID, syscall.SIGKILL)
			cmd.Process.Kill()
		}
	})
	return c
}

func (c *child) alive() bool { return c.id.State() == procid.Alive }

// born is the child's birth as the protocol has it.
func (r *run) born(c *child) string {
	if r.proc {
		return birth(c.id.Start)
	}
	cmd := exec.Command("ps", "-p", strconv.Itoa(c.id.PID), "-o", "lstart=")
	cmd.Env = []string{"TZ=UTC0", "LC_ALL=C"}
	output, err := cmd.Output()
	if err != nil {
		r.Fatal(err)
	}
	return strings.Join(strings.Fields(string(output)), "_")
}

func (r *run) own(c *child, grace time.Duration) {
	r.Helper()
	r.say("own %d %d %s %d\n", c.id.PID, c.id.PID, r.born(c), grace.Milliseconds())
}

func (r *run) mustBeDead(children ...*child) {
	r.Helper()
	for _, c := range children {
		if c.alive() {
			r.Errorf("%v is alive", c.Args)
		}
	}
}

func (r *run) mustLive(children ...*child) {
	r.Helper()
	for _, c := range children {
		if !c.alive() {
			r.Errorf("%v is dead", c.Args)
		}
	}
}

func inRole(r *run, role string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		r.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "TEST_ROLE="+role)
	return cmd
}

// play is what this program does in a role.
func play(role string) {
	switch role {
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
	case "parent":
		fmt.Println(startStranger(&syscall.SysProcAttr{Setsid: true}))
	case "session": // with a job whose parent is gone
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"TEST_ROLE=middle", "PATH=" + os.Getenv("PATH")}
		output, _ := cmd.Output()
		os.Stdout.Write(output)
	case "middle":
		fmt.Println(startStranger(&syscall.SysProcAttr{Setpgid: true}))
		return
	}
	time.Sleep(time.Hour)
}

// startStranger starts a process without an environment.
func startStranger(attributes *syscall.SysProcAttr) int {
	cmd := exec.Command("sleep", "630")
	cmd.Env = []string{}
	cmd.SysProcAttr = attributes
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		return 0
	}
	return cmd.Process.Pid
}

// startAnswering starts a process and returns its first line of output.
func (r *run) startAnswering(cmd *exec.Cmd) (*child, string) {
	r.Helper()
	output, err := cmd.StdoutPipe()
	if err != nil {
		r.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		r.Fatal(err)
	}
	id := identity(r.T, cmd.Process.Pid)
	return reap(cmd, id), strings.TrimSpace(line)
}

func identity(t *testing.T, pid int) procid.Identity {
	t.Helper()
	id, err := procid.Of(pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
