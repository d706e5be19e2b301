package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// roleVariable makes the test program part of a service.
const roleVariable = "DOCTOR_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "service":
		bridge := exec.Command(os.Args[0])
		bridge.Env = append(os.Environ(), roleVariable+"=bridge")
		bridge.Stdout = os.Stdout
		fmt.Println(bridge.Start())
	case "bridge":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		fmt.Println(err, os.Getpid(), listener.Addr())
	}
	time.Sleep(10 * time.Minute) // The test ends them sooner, if it lives.
}

// A service has a bridge, which listens on a port.
type service struct {
	*exec.Cmd
	bridge procid.Identity
	port   string
}

func startService(t *testing.T) service {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=service")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	s := service{Cmd: cmd}
	for s.port == "" {
		line, err := bufio.NewReader(io.LimitReader(out, 1<<10)).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if fields := strings.Fields(line); len(fields) == 3 {
			pid, _ := strconv.Atoi(fields[1])
			s.port = fields[2]
			if s.bridge, err = procid.Of(pid); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() {
		if s.bridge.State() == procid.Alive {
			syscall.Kill(s.bridge.PID, syscall.SIGKILL)
		}
	})
	return s
}

// restart kills the service, as a bad restart does, and waits for its end.
func (s service) restart(also string) []string {
	pid := s.Process.Pid
	return []string{"sh", "-c", fmt.Sprintf("kill -9 %d; %s; while kill -0 %d && ! grep -q '^State:.Z' /proc/%d/status; do sleep 0.01; done", pid, also, pid, pid)}
}

func TestDoctorNamesWhatARestartLeftAndItsPort(t *testing.T) {
	s, control := startService(t), startService(t)
	code, out := doctorSays(t, append([]string{"-wait", "300ms", "--"}, s.restart("true")...)...)
	if code != exitLeft {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		fmt.Sprintf("  %d  ", s.bridge.PID), "it lost its parent", fmt.Sprintf("started by %d  ", s.Process.Pid),
		"listens on " + s.port, "port " + s.port + ": held by what is left",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, control.port) || strings.Contains(out, fmt.Sprintf("  %d  ", control.bridge.PID)) {
		t.Errorf("it names the service that was not restarted:\n%s", out)
	}
}

func TestDoctorIsContentWithARestartThatLeavesNothing(t *testing.T) {
	s := startService(t)
	code, out := doctorSays(t, append([]string{"-wait", "20s", "--"}, s.restart(fmt.Sprintf("kill -9 %d", s.bridge.PID))...)...)
	if code != exitNothing || !strings.Contains(out, "Nothing is left behind.") || !strings.Contains(out, "port "+s.port+": closed") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestDoctorComparesWithASnapshot(t *testing.T) {
	s := startService(t)
	file := filepath.Join(t.TempDir(), "before")
	if code, out := doctorSays(t, "snapshot", file); code != exitNothing {
		t.Fatalf("snapshot: exit code %d\n%s", code, out)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("the snapshot has mode %v, %v", info.Mode(), err)
	}
	s.Process.Kill()
	s.Wait()
	waitFor(t, "the bridge to be left", func() bool {
		code, _ := doctorSays(t, "-wait", "0s", "compare", file)
		return code == exitLeft
	})
	_, out := doctorSays(t, "-wait", "0s", "-json", "compare", file)
	var report Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := false
	for _, l := range report.Left {
		found = found || l.Identity == s.bridge && len(l.Listening) == 1 && l.Listening[0].String() == s.port
	}
	if !found {
		t.Errorf("the bridge %v is not among %+v", s.bridge, report.Left)
	}
	if code, _ := doctorSays(t, "snapshot", file); code != exitNothing {
		t.Error("an old snapshot cannot be replaced")
	}
}

func TestDoctorOverwritesNothingElse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes")
	for _, text := range []string{"my notes", "{}", ""} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _ := doctorSays(t, "snapshot", file)
		if got, _ := os.ReadFile(file); code != exitTrouble || string(got) != text {
			t.Errorf("exit code %d; the file with %q has now %.50q", code, text, got)
		}
		if code, _ := doctorSays(t, "compare", file); code != exitTrouble {
			t.Errorf("comparing with %q: exit code %d", text, code)
		}
	}
}

func TestDoctorSaysThatTheCommandFailed(t *testing.T) {
	for _, command := range []string{"false", "/no/such/program"} {
		code, out := doctorSays(t, "-wait", "0s", "--", command)
		if code != exitTrouble || !strings.Contains(out, "the command failed") {
			t.Errorf("%s: exit code %d\n%s", command, code, out)
		}
	}
}

func TestDoctorDoesNotWaitForWhatTheCommandLeftRunning(t *testing.T) {
	code, out := doctorSays(t, "-wait", "0s", "--", "sh", "-c", "sleep 600 & echo the server is $!")
	_, rest, _ := strings.Cut(out, "the server is ")
	text, _, _ := strings.Cut(rest, "\n")
	pid, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	server, err := procid.Of(pid)
	t.Cleanup(func() {
		if server.State() == procid.Alive {
			syscall.Kill(server.PID, syscall.SIGKILL)
		}
	})
	if err != nil || server.State() != procid.Alive || strings.Contains(out, "the command failed") {
		t.Fatalf("what the command started is %v, %v; exit code %d\n%s", server.State(), err, code, out)
	}
}

func TestDoctorSaysHowChildrenAreHeldHere(t *testing.T) {
	dir := t.TempDir()
	code, out := doctorSays(t, "-ledger", dir)
	if code != exitNothing || !strings.Contains(out, "tier: ") || !strings.Contains(out, "ledger: "+dir) {
		t.Errorf("exit code %d\n%s", code, out)
	}
	_, out = doctorSays(t, "-ledger", dir, "-json")
	var e Examination
	if err := json.Unmarshal([]byte(out), &e); err != nil || e.Tier == "" || e.Ledger != dir {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestUsage(t *testing.T) {
	if code, out := doctorSays(t, "-help"); code != exitNothing || !strings.Contains(out, "usage: holdfast doctor") {
		t.Errorf("-help: %d\n%s", code, out)
	}
	for _, args := range [][]string{{"restart"}, {"--"}, {"snapshot"}, {"compare", "a", "b"}, {"x", "--", "true"}, {"-nope"}} {
		if code, out := doctorSays(t, args...); code != exitTrouble || !strings.Contains(out, "usage: holdfast doctor") {
			t.Errorf("%v: exit code %d\n%s", args, code, out)
		}
	}
}

// doctorSays runs the command and returns all that it printed.
func doctorSays(t *testing.T, args ...string) (int, string) {
	t.Helper()
	if !strings.Contains(strings.Join(args, " "), "-ledger") {
		args = append([]string{"-ledger", t.TempDir()}, args...)
	}
	var stdout, stderr bytes.Buffer
	code := Run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("waited 20 s in vain for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
