package owned_test

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// loner is an escapee that nothing but its descent ties to its owner.
const loner = "limit, environment, parent gone"

func TestUnderAMonitorNobodySurvives(t *testing.T) {
	for _, program := range []string{"setsid", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	control := startOwner(t, script{Children: []string{call}})
	controls := control.present(1)
	t.Setenv("TEST_STRICT", "1")
	for name, end := range map[string]func(*testing.T, *owner){
		"the program killed": func(t *testing.T, o *owner) { syscall.Kill(pidOf(t, o, "pid"), syscall.SIGKILL) },
		"program and supervisor killed": func(t *testing.T, o *owner) {
			supervisor, program := pidOf(t, o, "supervisor"), pidOf(t, o, "pid")
			syscall.Kill(program, syscall.SIGSTOP) // So that it starts no other.
			syscall.Kill(supervisor, syscall.SIGKILL)
			syscall.Kill(program, syscall.SIGKILL)
		},
		"the program ends": func(t *testing.T, o *owner) { o.tell("exit") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := startOwner(t, script{Tier: owned.Marks, Grace: 300 * time.Millisecond, Children: []string{escapes[loner]}})
			children := o.present(2)
			end(t, o)
			awaitDeath(t, children)
			o.mustEnd()
			if code := o.cmd.ProcessState.ExitCode(); name == "the program ends" && code != 3 {
				t.Errorf("the monitor ended with %d, the program with 3", code)
			}
		})
	}
	t.Run("marked children of a killed monitor", func(t *testing.T) {
		t.Parallel()
		o := startOwner(t, script{Tier: owned.Marks, Grace: 300 * time.Millisecond, Children: family})
		children := o.present(familySize)
		program := identify(t, pidOf(t, o, "pid"))
		t.Cleanup(func() { syscall.Kill(program.PID, syscall.SIGKILL) }) // Or the test would wait for it.
		o.cmd.Process.Kill()
		awaitDeath(t, append(children, program))
	})
	t.Run("kept", func(t *testing.T) {
		t.Parallel()
		o := startOwner(t, script{Keep: `echo $$ > "$ROLL.kept"; exec sleep 1000`})
		kept := keptBy(t, o)
		o.tell("exit")
		o.mustEnd()
		if kept.State() != procid.Alive {
			t.Error("a kept process died with the monitor")
		}
	})
	t.Cleanup(func() { mustLive(t, controls) })
}

func pidOf(t *testing.T, o *owner, what string) int {
	t.Helper()
	pid, err := strconv.Atoi(o.say(what))
	if err != nil || pid == 0 {
		t.Fatalf("the %s has no number: %v", what, err)
	}
	return pid
}

func identify(t *testing.T, pid int) procid.Identity {
	t.Helper()
	id, err := procid.Of(pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// mustEnd waits for the end of a monitor, and ends one that goes on, and with it
// its program.
func (o *owner) mustEnd() {
	o.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		o.Error("the monitor goes on")
		o.cmd.Process.Kill()
	})
	defer late.Stop()
	o.wait()
}

// The supervisor knows the graces of the children. A second SIGTERM, which means
// "do not even clean up" to many programs, must not come from the monitor.
func TestTheMonitorLeavesChildrenToTheirSupervisor(t *testing.T) {
	t.Setenv("TEST_STRICT", "1")
	o := startOwner(t, script{Tier: owned.Marks, Grace: 20 * time.Second, Children: []string{`
		trap 'echo TERM >> "$ROLL.asked"' TERM
		echo $$ >> "$ROLL"
		while [ ! -e "$ROLL.asked" ]; do sleep 0.02; done
		for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done`}})
	children := o.present(1)
	o.tell("exit")
	o.mustEnd()
	awaitDeath(t, children)
	if asked, _ := os.ReadFile(o.roll + ".asked"); string(asked) != "TERM\n" {
		t.Errorf("it was asked %q", asked)
	}
}

func TestTheMonitorHandsSignalsOn(t *testing.T) {
	t.Setenv("TEST_STRICT", "1")
	o := startOwner(t, script{Children: []string{call}})
	children := o.present(1)
	program := pidOf(t, o, "pid")
	if program == o.cmd.Process.Pid {
		t.Fatal("there is no monitor")
	}
	o.cmd.Process.Signal(os.Interrupt)
	o.mustEnd()
	if code := o.cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGINT) {
		t.Errorf("the monitor ended with %d", code)
	}
	awaitDeath(t, children)
}
