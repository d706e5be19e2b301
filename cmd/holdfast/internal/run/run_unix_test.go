//go:build unix

package run

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// With this variable the test program is "holdfast run".
const commandVariable = "TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		os.Unsetenv(commandVariable)
		os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	dir, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOLDFAST_LEDGER_DIR", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func holdfastRun(arguments ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], arguments...)
	cmd.Env = append(os.Environ(), commandVariable+"=1")
	return cmd
}

func code(cmd *exec.Cmd) int {
	cmd.Run()
	return cmd.ProcessState.ExitCode()
}

func TestExitCodes(t *testing.T) {
	for name, test := range map[string]struct {
		arguments []string
		want      int
	}{
		"success":        {[]string{"true"}, 0},
		"after dashes":   {[]string{"--", "sh", "-c", "exit 7"}, 7},
		"signal":         {[]string{"sh", "-c", "kill -TERM $$"}, 128 + 15},
		"kill":           {[]string{"sh", "-c", "kill -KILL $$"}, 128 + 9},
		"no command":     {nil, exitTrouble},
		"unknown flag":   {[]string{"-nope", "true"}, exitTrouble},
		"negative grace": {[]string{"-grace", "-1s", "true"}, exitTrouble},
		"not found":      {[]string{"no-such-program-anywhere"}, exitNoCommand},
		"not executable": {[]string{"/etc/passwd"}, exitCannotRun},
		"help":           {[]string{"-h"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := code(holdfastRun(test.arguments...)); got != test.want {
				t.Errorf("exit code %d, want %d", got, test.want)
			}
		})
	}
}

// A tree answers the roll and would go on for long.
const tree = `sh -c 'echo $$ >> "$ROLL"; exec sleep 1001' & echo $$ >> "$ROLL"; `

// start starts "holdfast run" on a tree and waits for it.
func start(t *testing.T, script string, arguments ...string) (*exec.Cmd, []procid.Identity) {
	t.Helper()
	return startCommand(t, holdfastRun(append(arguments, "sh", "-c", script)...))
}

// startCommand starts a command that is to start a tree, and waits for it.
func startCommand(t *testing.T, cmd *exec.Cmd) (*exec.Cmd, []procid.Identity) {
	t.Helper()
	roll := t.TempDir() + "/roll"
	cmd.Env = append(cmd.Env, "ROLL="+roll)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	var below []procid.Identity
	await(t, "the tree", func() bool {
		below = called(roll)
		return len(below) == 2
	})
	return cmd, below
}

// called returns who has answered a roll and is still there.
func called(roll string) (ids []procid.Identity) {
	text, _ := os.ReadFile(roll)
	for _, word := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(word)
		if id, err := procid.Of(pid); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(3 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func awaitDeath(t *testing.T, ids []procid.Identity) {
	t.Helper()
	await(t, "the tree to end", func() bool {
		for _, id := range ids {
			if id.State() == procid.Alive {
				return false
			}
		}
		return true
	})
}

func TestEverythingBelowEndsWithIt(t *testing.T) {
	control, controls := start(t, tree+"exec sleep 1000")
	for name, test := range map[string]struct {
		script string
		end    func(*os.Process)
		want   int // exit code, -1 if a signal ended it
	}{
		"killed":            {tree + "exec sleep 1000", func(p *os.Process) { p.Kill() }, -1},
		"TERM is forwarded": {tree + "trap 'exit 9' TERM; while :; do sleep 0.02; done", func(p *os.Process) { p.Signal(syscall.SIGTERM) }, 9},
		"INT is forwarded":  {tree + "trap 'exit 8' INT; while :; do sleep 0.02; done", func(p *os.Process) { p.Signal(os.Interrupt) }, 8},
		"USR1 is forwarded": {tree + "trap 'exit 6' USR1; while :; do sleep 0.02; done", func(p *os.Process) { p.Signal(syscall.SIGUSR1) }, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, called := start(t, test.script+"", "-grace", "300ms")
			if strings.Contains(name, "forwarded") {
				awaitTrap(t, called)
			}
			test.end(cmd.Process)
			cmd.Wait()
			awaitDeath(t, called)
			if got := cmd.ProcessState.ExitCode(); got != test.want {
				t.Errorf("exit code %d, want %d", got, test.want)
			}
		})
	}
	t.Cleanup(func() {
		for _, id := range controls {
			if id.State() != procid.Alive {
				t.Error("a process of a living run died")
			}
		}
		control.Process.Kill()
		awaitDeath(t, controls)
	})
}

// awaitTrap waits until the shell has set its trap, which it does right before
// it starts its first sleep.
func awaitTrap(t *testing.T, called []procid.Identity) {
	t.Helper()
	await(t, "the shell's first sleep", func() bool {
		output, _ := exec.Command("ps", "-A", "-o", "ppid=", "-o", "args=").Output()
		for _, id := range called {
			if bytes.Contains(output, []byte(fmt.Sprintf("%d sleep 0.02", id.PID))) {
				return true
			}
		}
		return false
	})
}

// In a pipe, the reader has to see the end when the command has ended, although
// the command left somebody behind who holds the pipe.
func TestAPipeEndsWithTheCommand(t *testing.T) {
	cmd := holdfastRun("-grace", "300ms", "sh", "-c", "sleep 1000 & echo out")
	output, err := cmd.Output() // It reads to the end.
	if string(output) != "out\n" || err != nil {
		t.Errorf("output %q, %v", output, err)
	}
}

func TestTheCommandReadsItsInput(t *testing.T) {
	cmd := holdfastRun("cat")
	cmd.Stdin = strings.NewReader("in\n")
	if output, err := cmd.Output(); string(output) != "in\n" || err != nil {
		t.Errorf("output %q, %v", output, err)
	}
}

// nohup ignores the hang-up for the command, and run must not undo that.
func TestUnderNohupAHangUpIsIgnored(t *testing.T) {
	run := holdfastRun("sh", "-c", tree+"exec sleep 1000")
	nohup := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$0" "$@"`}, run.Args...)...)
	nohup.Env = run.Env
	cmd, called := startCommand(t, nohup)
	cmd.Process.Signal(syscall.SIGHUP)
	for _, id := range called {
		syscall.Kill(id.PID, syscall.SIGHUP)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 128+15 {
		t.Errorf("exit code %d, so the hang-up was acted on", got)
	}
	awaitDeath(t, called)
}
