//go:build unix

package supervise

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
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

const long = 20 * time.Second // a grace that a test never waits for

func TestEndOfInputEndsOwnedGroupsOnly(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		leader := r.start("sleep", "600")
		family := r.start("sh", "-c", "sleep 601 & sleep 602")
		dropped := r.start("sleep", "603")
		stranger := r.start("sleep", "604")
		r.own(leader, long)
		r.own(family, long)
		r.own(dropped, long)
		r.say("drop %d\n", dropped.id.PID)
		r.end()
		r.mustBeDead(leader, family)
		r.mustLive(dropped, stranger)
		if left := livingIn(family.id.PID); len(left) > 0 {
			t.Errorf("left in the group: %+v", left)
		}
	})
}

func livingIn(group int) (living []census.Process) {
	for _, process := range census.InGroup(group) {
		if !process.Dead() {
			living = append(living, process)
		}
	}
	return living
}

func TestWhoIgnoresTermIsKilledAfterTheGrace(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		deaf := deafChild(r)
		r.own(deaf, 100*time.Millisecond)
		r.end()
		r.mustBeDead(deaf)
		status := deaf.status(r)
		if status.Signal() != syscall.SIGKILL {
			t.Errorf("it ended by %v", status.Signal())
		}
	})
}

// On a machine that is very busy a single survey can take longer than the grace
// and what is added to it. The kill must not fall through then.
func TestABusyMachineDoesNotSpareAnybody(t *testing.T) {
	t.Parallel()
	grep, err := exec.LookPath("grep")
	if err != nil || birth(1) != "1" {
		t.Skip("the supervisor does not run grep here")
	}
	slow := t.TempDir()
	text := "#!/bin/sh\nsleep 2.3\nexec " + grep + " \"$@\"\n"
	if err := os.WriteFile(slow+"/grep", []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startRun(t, func() *exec.Cmd {
		cmd := Shell("/bin/sh")()
		cmd.Env = append(cmd.Env, "PATH="+slow+":"+searchPath)
		return cmd
	})
	deaf := deafChild(r)
	r.say("grace 100\n")
	r.own(deaf, 100*time.Millisecond)
	r.end()
	r.mustBeDead(deaf)
}

// deafChild is a process that ignores SIGTERM and is known to do so already.
func deafChild(r *run) *child {
	cmd := inRole(r, "deaf")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	deaf, _ := r.startAnswering(cmd)
	return deaf
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

func (c *child) status(r *run) syscall.WaitStatus {
	r.Helper()
	<-c.reaped
	return c.ProcessState.Sys().(syscall.WaitStatus)
}

func TestAStoppedProcessIsContinuedSoThatItActsOnTerm(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		stopped := r.start("sleep", "605")
		syscall.Kill(stopped.id.PID, syscall.SIGSTOP)
		r.own(stopped, long)
		r.end()
		r.mustBeDead(stopped)
		if signal := stopped.status(r).Signal(); signal != syscall.SIGTERM {
			t.Errorf("it ended by %v", signal)
		}
	})
}

// Bystanders stand for whoever got a number that an owned process once had.
func TestARecycledNumberIsNotSignalled(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "606")
		otherBirth := r.start("sleep", "607")
		otherMember := r.start("sleep", "608")
		r.own(owned, time.Second)
		earlier := birth(1)
		r.say("own %d %d %s 100\n", otherBirth.id.PID, otherBirth.id.PID, earlier)
		r.say("own %d %d %s 100\n", otherMember.id.PID, owned.id.PID, r.born(owned))
		r.end()
		r.mustBeDead(owned)
		r.mustLive(otherBirth, otherMember)
	})
}

func TestAnotherMemberProvesAGroupWhoseLeaderIsGone(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		leader := r.start("sleep", "609")
		member := r.startCmd(joining(leader.id.PID, "sleep", "610"))
		syscall.Kill(leader.id.PID, syscall.SIGKILL)
		r.await("the leader's end", func() bool { return leader.id.State() == procid.Gone })
		r.say("own %d %d %s 1000\n", leader.id.PID, member.id.PID, r.born(member))
		r.end()
		r.mustBeDead(member)
	})
}

func joining(group int, name string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(name, arguments...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	return cmd
}

// A zombie answers kill(pid, 0), but nothing of it is alive: the grace must
// not be spent on it.
func TestAZombieIsNotWaitedFor(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		cmd := exec.Command("sleep", "611")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		id, err := procid.Of(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		zombie := &child{Cmd: cmd, id: id}
		r.own(zombie, time.Hour)
		r.end() // Within its bound, which is far below the grace.
		if state := id.State(); state != procid.Zombie {
			t.Errorf("the process is %v, and the test showed nothing", state)
		}
	})
}

func TestMarksFindWhoLeftTheGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("marks need Linux")
	}
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		if !r.proc {
			t.Skip("marks need /proc")
		}
		cookie := strings.Repeat("0123456789abcdef", 2)
		cookie = cookie[:22] + fmt.Sprintf("%010d", r.cmd.Process.Pid)
		locks := 1<<50 + r.cmd.Process.Pid
		r.say("mark %s %d\ngrace 20000\n", cookie, locks)
		byCookie := exec.Command("sleep", "612")
		byCookie.Env = append(os.Environ(), "ANY="+cookie+".1;")
		byCookie.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		marked := r.startCmd(byCookie)
		limited := r.start("bash", "-c", fmt.Sprintf("ulimit -S -x %d; exec env -i sleep 613", locks))
		r.await("the limit", func() bool {
			text, _ := os.ReadFile("/proc/" + strconv.Itoa(limited.id.PID) + "/limits")
			return strings.Contains(string(text), strconv.Itoa(locks))
		})
		stranger := r.start("sleep", "614")
		r.end()
		r.mustBeDead(marked, limited)
		r.mustLive(stranger)
	})
}

func TestDescendantsOfOwnedProcessesAreFoundByTheirParents(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		parent, grandchild := parentOfStranger(r)
		r.own(parent, long)
		r.end()
		r.mustBeDead(parent)
		if grandchild.State() == procid.Alive {
			t.Error("the grandchild is alive")
		}
	})
}

// parentOfStranger starts a process with a child in a session of its own, with
// nothing in its environment.
func parentOfStranger(r *run) (*child, procid.Identity) {
	cmd := inRole(r, "parent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	parent, answer := r.startAnswering(cmd)
	pid, err := strconv.Atoi(answer)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return parent, identity(r.T, pid)
}

// The leader of an owned session proves everybody in it, in whatever group.
func TestAnOwnedSessionIsEndedWithAllItsGroups(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		if !r.proc || runtime.GOOS != "linux" {
			t.Skip("ps does not tell sessions in the same way everywhere")
		}
		cmd := inRole(r, "session")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		leader, answer := r.startAnswering(cmd)
		pid, err := strconv.Atoi(answer)
		if err != nil {
			t.Fatal(err)
		}
		job := identity(t, pid)
		defer syscall.Kill(pid, syscall.SIGKILL)
		r.await("the job to be an orphan", func() bool {
			stat, _ := census.Look(pid)
			return stat.Parent != leader.id.PID
		})
		r.own(leader, long)
		r.end()
		if job.State() == procid.Alive {
			t.Error("the job is alive")
		}
	})
}

func TestQuitSignalsNobody(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "616")
		r.own(owned, long)
		r.say("quit\n")
		r.end()
		r.mustLive(owned)
	})
}

// The supervisor has to survive what a terminal and a service manager send to
// everybody, or it would be gone when it is needed.
func TestSignalsOfATerminalDoNotEndTheSupervisor(t *testing.T) {
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		owned := r.start("sleep", "617")
		r.own(owned, long)
		r.awaitIgnoring()
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGTSTP} {
			if err := r.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
		r.mustLive(owned)
		r.end()
		r.mustBeDead(owned)
	})
}

// awaitIgnoring waits until the supervisor has come to ignore signals.
func (r *run) awaitIgnoring() {
	if runtime.GOOS != "linux" {
		time.Sleep(time.Second) // Nothing else tells.
		return
	}
	r.await("the supervisor to ignore SIGTERM", func() bool {
		text, _ := os.ReadFile("/proc/" + strconv.Itoa(r.cmd.Process.Pid) + "/status")
		_, rest, _ := strings.Cut(string(text), "SigIgn:\t")
		mask, _ := strconv.ParseUint(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), 16, 64)
		return mask&(1<<(syscall.SIGTERM-1)) != 0
	})
}

func TestTheSupervisorIsASessionOfItsOwnWithNothingOfItsOwner(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	eachSupervisor(t, func(t *testing.T, command func() *exec.Cmd) {
		r := startRun(t, command)
		pid := r.cmd.Process.Pid
		stat, err := census.Look(pid)
		if err != nil || stat.Session != pid || stat.Group != pid {
			t.Errorf("session %d, group %d of %d: %v", stat.Session, stat.Group, pid, err)
		}
		if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); cwd != "/" {
			t.Errorf("it is in %q: %v", cwd, err)
		}
		arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || bytes.Contains(arguments, []byte("holdfast")) {
			t.Errorf("arguments %q: %v", arguments, err)
		}
	})
}

func identity(t *testing.T, pid int) procid.Identity {
	t.Helper()
	id, err := procid.Of(pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
