//go:build linux

package argv

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is the long-lived program of the script cases. It says on descriptor
// 3 who it is, lives until it can read a line from the gate, and says so. An
// end of file there means that the owner has let it go.
const server = `#!/bin/sh
trap 'exit 1' TERM
set -- $(cat /proc/$$/stat)
ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status)
echo "start $$ $6 $ignored" >&3
read -r line <"$GATE"
echo "survived $$" >&3
`

// TestScriptsForReal runs the scripts that can be run here, and checks that
// what happens agrees with the verdict: a script detaches its server if that
// outlives the shell, is in another session or ignores the hang-up.
func TestScriptsForReal(t *testing.T) {
	if !kernelTells(t) {
		t.Skip("the kernel does not say what a process waits for")
	}
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("this run ignores the hang-up (nohup), and so would every server")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "server"), []byte(server), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"dash", "bash"} {
		shell, err := exec.LookPath(lang)
		if err != nil {
			t.Logf("%s is not installed", lang)
			continue
		}
		for _, c := range scriptCases {
			if c.unreal != "" || c.lang != "" && c.lang != lang {
				continue
			}
			t.Run(lang+"/"+c.protects, func(t *testing.T) {
				t.Parallel()
				verdict, _ := ShellString(lang, c.script)
				if got := runReal(t, bin, shell, c.script); got.outOfReach() != verdict.Detaches {
					t.Errorf("it really %v, the verdict is %+v: %s", got, verdict, c.script)
				}
			})
		}
	}
}

// An outcome is what became of a script's servers.
type outcome struct {
	outlives   bool // the shell was gone, or done waiting, before a server was let go
	newSession bool
	ignoresHUP bool
}

func (o outcome) outOfReach() bool { return o.outlives || o.newSession || o.ignoresHUP }

// runReal runs a script and watches its servers, which hold the write end of a
// pipe: its end of file is the proof that none is left.
func runReal(t *testing.T, bin, shell, script string) outcome {
	t.Helper()
	dir := t.TempDir()
	gatePath := filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gatePath, 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := os.OpenFile(gatePath, os.O_RDWR, 0) // for both: opening waits for nobody
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	reports, reportsWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reports.Close()

	cmd := exec.Command(shell, "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GATE="+gatePath, "PATH="+bin+":"+os.Getenv("PATH"))
	cmd.ExtraFiles = []*os.File{reportsWrite}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a case that kills its group does not kill the test
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reportsWrite.Close()
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = cmd.Wait() // how a script ends is its own affair
	}()

	w := watch{shell: cmd.Process.Pid, session: session(t), lines: make(chan string)}
	go w.read(reports)
	gone := w.untilSettled(t, exited)
	if _, err := gate.WriteString(strings.Repeat("go\n", 8)); err != nil {
		t.Fatal(err)
	}
	got := w.untilEnd(t, gone)
	<-exited
	return got
}

// A watch follows the servers of one script through what they report.
type watch struct {
	shell, session int
	lines          chan string
	got            outcome
	started        map[int]bool
}

func (w *watch) read(reports *os.File) {
	defer close(w.lines)
	for scanner := bufio.NewScanner(reports); scanner.Scan(); {
		w.lines <- scanner.Text()
	}
}

// patience is how long a script may take to start its server. It is only
// reached by a test that fails.
const patience = time.Minute

// snapshots is how often in a row a shell must be found blocked. One look at
// several processes is not one moment.
const snapshots = 3

// untilSettled returns when the shell has exited, or cannot go on before its
// server is let go. It reports whether the shell is gone.
func (w *watch) untilSettled(t *testing.T, exited <-chan struct{}) (gone bool) {
	t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	blocked := 0
	for {
		select {
		case <-exited:
			return true
		case line, ok := <-w.lines:
			if !ok {
				w.lines = nil // every process is gone
				continue
			}
			w.note(t, line)
		case <-poll.C:
			if len(w.started) == 0 || !w.isBlocked(w.shell) {
				blocked = 0
			} else if blocked++; blocked == snapshots {
				return false
			}
		case <-late:
			t.Error("the script neither ends nor waits")
			return false
		}
	}
}

// untilEnd reads what the servers say until all are gone.
func (w *watch) untilEnd(t *testing.T, gone bool) outcome {
	t.Helper()
	late := time.After(patience)
	for w.lines != nil {
		select {
		case line, ok := <-w.lines:
			if !ok {
				return w.got
			}
			if strings.HasPrefix(line, "survived") && gone {
				w.got.outlives = true
			}
			w.note(t, line)
		case <-late:
			t.Fatal("a server does not end when it is let go")
		}
	}
	return w.got
}

// note takes in a server's first report.
func (w *watch) note(t *testing.T, line string) {
	t.Helper()
	var pid, sid int
	var ignored uint64
	if n, _ := fmt.Sscanf(line, "start %d %d %x", &pid, &sid, &ignored); n != 3 {
		return
	}
	if w.started == nil {
		w.started = make(map[int]bool)
	}
	w.started[pid] = true
	w.got.newSession = w.got.newSession || sid != w.session
	w.got.ignoresHUP = w.got.ignoresHUP || ignored&1 != 0
}

// isBlocked reports whether the process cannot go on before a server is let
// go: it is a server that has reported, or waits for the other end of a pipe,
// or for a child that is blocked itself.
func (w *watch) isBlocked(pid int) bool {
	channel, err := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
	if err != nil {
		return false
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return false
	}
	waitedFor := 0
	for field := range strings.FieldsSeq(string(children)) {
		child, err := strconv.Atoi(field)
		switch {
		case err == nil && state(child) == "Z":
		case err != nil || !w.isBlocked(child):
			return false
		default:
			waitedFor++
		}
	}
	return w.started[pid] || contains(channel, "pipe") || waitedFor > 0 && contains(channel, waitFunctions...)
}

// waitFunctions are the kernel functions in which a shell waits for a child:
// bash's, and dash's, which waits for the signal.
var waitFunctions = []string{"do_wait", "sigsuspend"}

func contains(channel []byte, functions ...string) bool {
	return slices.ContainsFunc(functions, func(f string) bool { return strings.Contains(string(channel), f) })
}

// kernelTells reports whether the kernel says what a process waits for.
func kernelTells(t *testing.T) bool {
	t.Helper()
	child := exec.Command("cat")
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = child.Wait() }()
	defer stdin.Close()
	for range 1000 {
		channel, err := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", child.Process.Pid))
		if err != nil || contains(channel, "pipe") {
			return err == nil
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// state returns the letter of a process's state, or "" if it is gone.
func state(pid int) string {
	if fields := stat(pid); len(fields) > 0 {
		return fields[0]
	}
	return ""
}

// session returns the session of this process.
func session(t *testing.T) int {
	t.Helper()
	fields := stat(os.Getpid())
	if len(fields) < 4 {
		t.Fatal("cannot read /proc/self/stat")
	}
	sid, err := strconv.Atoi(fields[3])
	if err != nil {
		t.Fatal(err)
	}
	return sid
}

// stat returns the fields of proc(5)'s stat after the program's name: state,
// parent, group, session, ….
func stat(pid int) []string {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
}
