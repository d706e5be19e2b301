package owned_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// openTerminal returns the two ends of a new pseudo terminal.
func openTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close(); terminal.Close() })
	return keyboard, terminal
}

// startOnTerminal starts an owner that leads a session on a terminal, as a
// shell in a window does.
func startOnTerminal(t *testing.T, s script) (*owner, *os.File) {
	t.Helper()
	keyboard, terminal := openTerminal(t)
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	o := &owner{T: t, roll: t.TempDir() + "/roll"}
	o.cmd = exec.Command(os.Args[0])
	o.cmd.Env = append(os.Environ(), ownerVariable+"="+string(text), "ROLL="+o.roll)
	o.cmd.Stdin, o.cmd.Stdout, o.cmd.Stderr = terminal, terminal, terminal
	o.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.cmd.Process.Kill(); o.cmd.Wait() })
	return o, keyboard
}

func TestCtrlCAndHangUpEndTheOwnerAndItsChildren(t *testing.T) {
	for name, end := range map[string]func(*os.File){
		"Ctrl-C":  func(keyboard *os.File) { keyboard.WriteString("\x03") },
		"Ctrl-\\": func(keyboard *os.File) { keyboard.WriteString("\x1c") },
		"hang-up": func(keyboard *os.File) { keyboard.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			eachTier(t, func(t *testing.T, tier owned.Tier) {
				o, keyboard := startOnTerminal(t, script{Tier: tier, Grace: 300 * time.Millisecond, Children: family[:3]})
				children := o.present(5)
				end(keyboard)
				o.cmd.Wait()
				awaitDeath(t, children)
			})
		})
	}
}

// A terminal is given to a child and taken back, and Ctrl-Z stops both.
func TestForeground(t *testing.T) {
	o, keyboard := startOnTerminal(t, script{Grace: 300 * time.Millisecond, Foreground: `
		echo $$ >> "$ROLL"
		read -r line && echo "$line" > "$ROLL.line"
		trap 'echo > "$ROLL.winch"' WINCH
		touch "$ROLL.ready"
		while [ ! -e "$ROLL.go" ]; do sleep 0.02; done`})
	child := o.present(1)[0]
	keyboard.WriteString("typed\n")
	await(t, "the child to read the terminal", func() bool {
		text, _ := os.ReadFile(o.roll + ".line")
		return string(text) == "typed\n"
	})
	await(t, "the child to wait", func() bool { _, err := os.Stat(o.roll + ".ready"); return err == nil })
	size := unix.Winsize{Row: 33, Col: 77}
	if err := unix.IoctlSetWinsize(int(keyboard.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	await(t, "the child to be told of the window's size", func() bool { _, err := os.Stat(o.roll + ".winch"); return err == nil })
	if group := foreground(t, keyboard); group != child.PID {
		t.Errorf("group %d has the terminal, not the child's %d", group, child.PID)
	}
	if err := os.WriteFile(o.roll+".go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, "the owner to take the terminal back", func() bool { return foreground(t, keyboard) == o.cmd.Process.Pid })
	if child.State() == procid.Alive {
		t.Error("it was taken before the child had ended")
	}
}

func foreground(t *testing.T, terminal *os.File) int {
	t.Helper()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	if err != nil {
		t.Fatal(err)
	}
	return group
}

func state(pid int) string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(text), ") ")
	return rest[:min(1, len(rest))]
}

// A shell with job control has to see the owner stop, or nobody gets the
// terminal back.
func TestCtrlZStopsOwnerAndChildAsOneJob(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	keyboard, terminal := openTerminal(t)
	text, err := json.Marshal(script{Grace: 300 * time.Millisecond, Exit: true, Foreground: `echo $$ >> "$ROLL"; exec sleep 1000`})
	if err != nil {
		t.Fatal(err)
	}
	roll := t.TempDir() + "/roll"
	shell := exec.Command(bash, "--norc", "--noprofile", "-i")
	shell.Env = append(os.Environ(), ownerVariable+"="+string(text), "ROLL="+roll, "OWNER="+os.Args[0], "PS1=")
	shell.Stdin, shell.Stdout, shell.Stderr = terminal, terminal, terminal
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shell.Process.Kill(); shell.Wait() })
	go func() { // A full terminal would stop everybody.
		for buffer := make([]byte, 1024); ; {
			if _, err := keyboard.Read(buffer); err != nil {
				return
			}
		}
	}()
	keyboard.WriteString("\"$OWNER\"\n")
	here := &owner{T: t, roll: roll}
	child := here.present(1)[0]
	stat := parentOf(t, child.PID)
	await(t, "the child to have the terminal", func() bool { return foreground(t, keyboard) == child.PID })

	keyboard.WriteString("\x1a")
	await(t, "both to be stopped", func() bool { return state(child.PID) == "T" && state(stat) == "T" })
	await(t, "the shell to have the terminal", func() bool { return foreground(t, keyboard) == shell.Process.Pid })
	keyboard.WriteString("fg\n")
	await(t, "both to run", func() bool { return state(child.PID) == "S" && state(stat) == "S" })
	await(t, "the child to have the terminal again", func() bool { return foreground(t, keyboard) == child.PID })
	keyboard.WriteString("\x03")
	await(t, "the end of the child", func() bool { return child.State() != procid.Alive })
	await(t, "the shell to have the terminal again", func() bool { return foreground(t, keyboard) == shell.Process.Pid })
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		t.Fatalf("no process %d", pid)
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

func TestATerminalIsNotSharedByAccident(t *testing.T) {
	o, _ := startOnTerminal(t, script{Grace: 300 * time.Millisecond, Terminal: true, Children: []string{call}})
	o.cmd.Wait()
	if code := o.cmd.ProcessState.ExitCode(); code != 2 { // of a panic
		t.Errorf("the owner ended with %d", code)
	}
}
