//go:build unix

package owned_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func newOwner(t *testing.T, options ...owned.OwnerOption) *owned.Owner {
	t.Helper()
	o := owned.New(append([]owned.OwnerOption{owned.OwnerGrace(200 * time.Millisecond)}, options...)...)
	t.Cleanup(func() {
		if err := o.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return o
}

func mustStart(t *testing.T, o *owned.Owner, cmd *exec.Cmd, options ...owned.Option) *owned.Child {
	t.Helper()
	c, err := o.Start(cmd, options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What os/exec promises has to hold for a command that Start started.
func TestTheCommandStaysACommand(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := newOwner(t, owned.AtMost(tier))
		cmd := exec.Command("sh", "-c", `read -r line; echo "got $line"; echo "$A" >&2; pwd; exit 7`)
		cmd.Env = append(os.Environ(), "A=b")
		cmd.Dir = "/"
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		c := mustStart(t, o, cmd, owned.WaitElsewhere())
		io.WriteString(stdin, "this\n")
		output, err := io.ReadAll(stdout)
		if string(output) != "got this\n/\n" || err != nil {
			t.Errorf("output %q, %v", output, err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Errorf("Wait: %v", err)
		}
		if stderr.String() != "b\n" {
			t.Errorf("stderr %q", stderr.String())
		}
		if cmd.Process.Pid != c.PID() || cmd.ProcessState == nil {
			t.Error("Process or ProcessState are not set")
		}
		if err := c.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestTheErrorsOfStartAreThoseOfExec(t *testing.T) {
	o := newOwner(t)
	if _, err := o.Start(exec.Command("no-such-program-anywhere")); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("not found: %v", err)
	}
	if _, err := o.Start(exec.Command("/etc/passwd")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("not executable: %v", err)
	}
	cmd := exec.Command("true")
	mustStart(t, o, cmd)
	if _, err := o.Start(cmd); err == nil {
		t.Error("a command was started twice")
	}
	grouped := exec.Command("true")
	grouped.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: 12345}
	if _, err := o.Start(grouped); err == nil {
		t.Error("a group of somebody else's was taken")
	}
}

func TestAnOwnerWithoutAShellStartsNothing(t *testing.T) {
	o := newOwner(t, owned.Supervisor("/no/such/shell"))
	cmd := exec.Command("sleep", "1000")
	if _, err := o.Start(cmd); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Start: %v", err)
	}
	if cmd.Process != nil {
		t.Error("the child was started without a supervisor")
	}
	if report := o.Containment(); report.Trouble == nil {
		t.Errorf("Containment says nothing: %+v", report)
	}
}

// A grandchild that holds the output would hold Wait for its whole life.
func TestAGrandchildDoesNotHoldWait(t *testing.T) {
	o := newOwner(t)
	cmd := exec.Command("sh", "-c", "sleep 1000 & echo out")
	var output strings.Builder
	cmd.Stdout = &output
	c := mustStart(t, o, cmd)
	if err := c.Wait(); !errors.Is(err, exec.ErrWaitDelay) {
		t.Errorf("Wait: %v", err)
	}
	if output.String() != "out\n" {
		t.Errorf("output %q", output.String())
	}
}

// ready starts a shell script that says so when it has set its traps.
func ready(t *testing.T, o *owned.Owner, script string, options ...owned.Option) *owned.Child {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = in
	c := mustStart(t, o, cmd, options...)
	in.Close()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestStop(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		grace  time.Duration
		signal syscall.Signal // that ended the child
	}{
		"obedient": {"echo; exec sleep 1000", time.Hour, syscall.SIGTERM},
		"deaf":     {`trap "" TERM; echo; exec sleep 1000`, 200 * time.Millisecond, syscall.SIGKILL},
		"stopped":  {"echo; kill -STOP $$", time.Hour, syscall.SIGTERM},
		"a family": {"sleep 1000 & sleep 1001 & echo; exec sleep 1002", time.Hour, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachTier(t, func(t *testing.T, tier owned.Tier) {
				o := newOwner(t, owned.AtMost(tier))
				c := ready(t, o, test.script, owned.Grace(test.grace))
				another := mustStart(t, o, exec.Command("sleep", "1003"))
				if err := c.Stop(context.Background()); err != nil {
					t.Fatal(err)
				}
				var exit *exec.ExitError
				if err := c.Wait(); !errors.As(err, &exit) {
					t.Fatalf("Wait: %v", err)
				}
				if got := exit.Sys().(syscall.WaitStatus).Signal(); got != test.signal {
					t.Errorf("it ended by %v, not %v", got, test.signal)
				}
				// A family's orphans may be zombies still, which take signals.
				if err := c.Signal(syscall.SIGTERM); name != "a family" && !errors.Is(err, os.ErrProcessDone) {
					t.Errorf("signalling it afterwards: %v", err)
				}
				if another.Identity().State() != procid.Alive {
					t.Error("another child was stopped too")
				}
			})
		})
	}
}

func TestStopKillsWhenItsContextEnds(t *testing.T) {
	o := newOwner(t)
	c := ready(t, o, `trap "" TERM; echo; exec sleep 1000`, owned.Grace(time.Hour))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := c.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if state := c.Identity().State(); state == procid.Alive {
		t.Errorf("it is %v", state)
	}
}

func TestStopWhenStopsAtTheEndOfAContext(t *testing.T) {
	o := newOwner(t)
	ctx, cancel := context.WithCancel(context.Background())
	c := mustStart(t, o, exec.Command("sh", "-c", "sleep 1000 & wait"), owned.StopWhen(ctx))
	cancel()
	await(t, "the end of the child and its family", func() bool {
		select {
		case <-c.Done():
			return true
		default:
			return false
		}
	})
}

func TestStopReachesWhoLeftTheGroup(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	o := newOwner(t, owned.AtMost(owned.Marks))
	roll := t.TempDir() + "/roll"
	start := func() *owned.Child {
		cmd := exec.Command("sh", "-c", escapes["parent gone too"])
		cmd.Env = append(os.Environ(), "ROLL="+roll)
		return mustStart(t, o, cmd)
	}
	c := start()
	here := &owner{T: t, roll: roll}
	family := here.present(2)
	start()
	others := here.present(4)[2:]
	if err := c.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if alive := living(family); len(alive) > 0 {
		t.Errorf("alive: %v", alive)
	}
	mustLive(t, others)
}

func TestReleaseOnceEmptyKeepsAGroupAsLongAsSomebodyIsInIt(t *testing.T) {
	o := startOwner(t, script{Plain: true, Children: []string{
		`sh -c 'echo $$ >> "$ROLL"; exec sleep 1001' & echo $$ >> "$ROLL"; exec sleep 1000`,
	}})
	children := o.present(2)
	leader := children[0].PID
	if group, _ := syscall.Getpgid(children[0].PID); group != leader {
		leader = children[1].PID
	}
	syscall.Kill(leader, syscall.SIGKILL)
	o.say("release once empty")
	o.kill()
	awaitDeath(t, children)
}

func TestAReleasedGroupLivesOn(t *testing.T) {
	o := startOwner(t, script{Plain: true, Children: []string{call, call}})
	children := o.present(2)
	o.say("release first")
	o.kill()
	await(t, "the end of one", func() bool { return len(living(children)) < 2 })
	await(t, "the end of the supervisor", func() bool { return len(having("OWNER_GROUP="+itoa(o.cmd.Process.Pid))) == 0 })
	if alive := living(children); len(alive) != 1 {
		t.Errorf("alive: %v", alive)
	}
}

func TestCloseEndsEverythingAndNothingStartsAfterwards(t *testing.T) {
	eachTier(t, func(t *testing.T, tier owned.Tier) {
		o := owned.New(owned.AtMost(tier), owned.OwnerGrace(200*time.Millisecond))
		c := ready(t, o, `trap "" TERM; echo; exec sleep 1000`)
		d := mustStart(t, o, exec.Command("sleep", "1001"))
		supervisor, err := procid.Of(o.Containment().Supervisor)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, id := range []procid.Identity{c.Identity(), d.Identity(), supervisor} {
			if id.State() == procid.Alive {
				t.Errorf("%v is alive", id)
			}
		}
		if _, err := o.Start(exec.Command("true")); !errors.Is(err, owned.ErrClosed) {
			t.Errorf("Start afterwards: %v", err)
		}
	})
}

// One part of a program ends without the others.
func TestTwoOwnersDoNotDisturbEachOther(t *testing.T) {
	first, second := newOwner(t), newOwner(t)
	a := mustStart(t, first, exec.Command("sleep", "1000"))
	b := mustStart(t, second, exec.Command("sleep", "1001"))
	if err := first.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if a.Identity().State() == procid.Alive || b.Identity().State() != procid.Alive {
		t.Errorf("the first is %v, the second %v", a.Identity().State(), b.Identity().State())
	}
}

func TestOwnRefusesWhatMustNotBeSignalled(t *testing.T) {
	o := newOwner(t)
	dead := exec.Command("true")
	dead.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for name, group := range map[string]int{
		"zero": 0, "one": 1, "negative": -5, "its own": syscall.Getpgrp(), "empty": dead.Process.Pid,
	} {
		if err := o.Own(group); err == nil {
			t.Errorf("%s: group %d is owned", name, group)
		}
	}
	if err := o.Own(); err != nil {
		t.Error("no groups:", err)
	}
}
