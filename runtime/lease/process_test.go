package lease

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// roleVariable makes the test program play a part instead of testing: it
// acquires sessions in the directory of the variable. Each line of its input
// is "x SESSION" or "s SESSION", and it answers "ok" or the error.
const roleVariable = "LEASE_TEST_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(roleVariable); dir != "" {
		playHolder(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

func playHolder(dir string) {
	leases, err := Open(dir)
	if err != nil {
		panic(err)
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		mode, session, _ := strings.Cut(input.Text(), " ")
		switch mode {
		case "x":
			err = leases.Acquire(context.Background(), session, Exclusive)
		case "s":
			err = leases.Acquire(context.Background(), session, Shared)
		case "release":
			err = leases.Release(context.Background(), session)
		}
		if err == nil {
			fmt.Println("ok")
			continue
		}
		fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// A process is another process that acquires sessions.
type process struct {
	t       *testing.T
	command *exec.Cmd
	input   io.WriteCloser
	answers *bufio.Scanner
}

func startProcess(t *testing.T, dir string) *process {
	t.Helper()
	p := &process{t: t, command: exec.Command(os.Args[0])}
	p.command.Env = append(os.Environ(), roleVariable+"="+dir)
	p.command.Stderr = os.Stderr
	input, err := p.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.input, p.answers = input, bufio.NewScanner(output)
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

func (p *process) ask(request string) string {
	p.t.Helper()
	if _, err := io.WriteString(p.input, request+"\n"); err != nil {
		p.t.Fatal(err)
	}
	if !p.answers.Scan() {
		p.t.Fatalf("no answer to %q: %v", request, p.answers.Err())
	}
	return p.answers.Text()
}

func (p *process) kill() {
	p.command.Process.Kill()
	p.command.Wait()
}

func (p *process) pid() int { return p.command.Process.Pid }
