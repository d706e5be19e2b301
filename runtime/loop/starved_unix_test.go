//go:build unix

package loop_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process that gets no time at all is stopped with SIGSTOP, for longer than
// its threshold. What it says afterwards has to blame the machine. The control
// is the same program that nobody stops.
func TestStarvedMachineIsToldFromABusyLoop(t *testing.T) {
	tests := map[string]struct {
		stop bool
		want string
	}{
		"stopped": {true, "starved=true"},
		"control": {false, "starved=false"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), starvedChild+"=1")
			stdin, err := child.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			defer child.Process.Kill()

			lines := bufio.NewScanner(stdout)
			if !lines.Scan() || lines.Text() != "busy" {
				t.Fatalf("the child says %q, %v", lines.Text(), lines.Err())
			}
			if test.stop {
				child.Process.Signal(syscall.SIGSTOP)
				time.Sleep(2 * starvedThreshold)
				child.Process.Signal(syscall.SIGCONT)
			}
			var said []string
			for len(said) < 2 && lines.Scan() { // the report during, then the one after
				said = append(said, lines.Text())
				stdin.Close()
			}
			if err := child.Wait(); err != nil {
				t.Error(err)
			}
			if len(said) == 0 {
				t.Fatal("nothing was reported")
			}
			for _, line := range said {
				if !strings.Contains(line, test.want) {
					t.Errorf("the child says %q, want %s", line, test.want)
				}
			}
		})
	}
}
