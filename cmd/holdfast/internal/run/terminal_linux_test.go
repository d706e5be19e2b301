package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A window is a pseudo terminal with "holdfast run" in it, which leads the
// session as a shell does that has become it by exec.
type window struct {
	keyboard *os.File
	cmd      *exec.Cmd
	below    []procid.Identity // the command, and what it started
	dir      string            // where the command leaves its notes
}

// openWindow runs a shell script, which is to start a tree, on a terminal.
func openWindow(t *testing.T, script string) window {
	t.Helper()
	keyboard, terminal := openTerminal(t)
	w := window{keyboard: keyboard, dir: t.TempDir()}
	w.cmd = holdfastRun("-grace", "300ms", "sh", "-c", script)
	w.cmd.Env = append(w.cmd.Env, "ROLL="+w.dir+"/roll")
	w.cmd.Dir = w.dir
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = terminal, terminal, terminal
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	t.Cleanup(func() { w.cmd.Process.Kill(); w.cmd.Wait() })
	await(t, "the tree and its traps", func() bool {
		w.below = called(w.dir + "/roll")
		return len(w.below) == 2 && w.has("ready")
	})
	return w
}

// openTerminal returns the two ends of a new pseudo terminal.
func openTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keyboard.Close() })
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
	return keyboard, terminal
}

func (w window) has(note string) bool {
	_, err := os.Stat(filepath.Join(w.dir, note))
	return err == nil
}

func (w window) note(name string) string {
	text, _ := os.ReadFile(filepath.Join(w.dir, name))
	return strings.TrimSpace(string(text))
}

// until is the end of a script that waits for its traps.
const until = `touch ready; while :; do sleep 0.02; done`

func TestOnATerminal(t *testing.T) {
	control := openWindow(t, tree+until)
	for name, test := range map[string]struct {
		script string
		act    func(*testing.T, window)
		want   int // exit code, -1 if a signal ended holdfast run
	}{
		"Ctrl-C reaches the command": {
			tree + `trap 'exit 8' INT; ` + until,
			func(_ *testing.T, w window) { w.keyboard.WriteString("\x03") }, 8,
		},
		"Ctrl-C ends a command that catches nothing": {
			tree + until,
			func(_ *testing.T, w window) { w.keyboard.WriteString("\x03") }, 128 + int(syscall.SIGINT),
		},
		"what is typed reaches the command": {
			tree + `touch ready; read -r line; echo "$line" > line; exit 7`,
			func(t *testing.T, w window) {
				w.keyboard.WriteString("typed\n")
				await(t, "the line", func() bool { return w.note("line") == "typed" })
			}, 7,
		},
		"a new size of the window is passed on": {
			tree + `trap 'stty size > size; exit 6' WINCH; ` + until,
			func(t *testing.T, w window) {
				size := unix.Winsize{Row: 33, Col: 77}
				if err := unix.IoctlSetWinsize(int(w.keyboard.Fd()), unix.TIOCSWINSZ, &size); err != nil {
					t.Error(err)
				}
				await(t, "the size", func() bool { return w.note("size") == "33 77" })
			}, 6,
		},
		"a hang-up ends everything": {
			tree + until,
			func(_ *testing.T, w window) { w.keyboard.Close() }, 128 + int(syscall.SIGHUP),
		},
		"a hang-up ends everything that ignores it": {
			tree + `trap "" HUP TERM; ` + until,
			func(_ *testing.T, w window) { w.keyboard.Close(); w.cmd.Process.Kill() }, -1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, test.script)
			test.act(t, w)
			ended := make(chan struct{})
			go func() { w.cmd.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(30 * time.Second):
				t.Fatal("it goes on")
			}
			awaitDeath(t, w.below)
			if got := w.cmd.ProcessState.ExitCode(); got != test.want {
				t.Errorf("exit code %d, want %d", got, test.want)
			}
		})
	}
	t.Cleanup(func() {
		for _, id := range control.below {
			if id.State() != procid.Alive {
				t.Error("a process in another window has ended")
			}
		}
	})
}
