//go:build unix

package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// roleVariable tells a program that it was started to be something else.
const roleVariable = "HOLDFAST_ROLE"

const (
	roleSupervisor  = "supervisor"
	rolePlaceholder = "placeholder"
)

// Twin returns a Command for the supervisor in Go: the program runs itself,
// and has to call [Hook] first in its main function. Such a supervisor costs
// one to seven megabytes where a shell costs a third of one.
func Twin(program string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := &exec.Cmd{Path: program, Args: []string{"supervisor"}}
		cmd.Env = []string{census.SupervisorMark, roleVariable + "=" + roleSupervisor}
		return cmd
	}
}

// Linger is how long a placeholder goes on when its input has ended. The
// supervisor's input ends at the same time, and its first look at the group that
// the placeholder proves may take long on a busy machine. It ends the placeholder
// with the group.
const Linger = 5 * time.Second

// Placeholder returns a program that does nothing until its input ends, and for
// [Linger] after that, for systems without a shell. It needs [Hook] as Twin does.
func Placeholder(program string) *exec.Cmd {
	return &exec.Cmd{Path: program, Args: []string{"placeholder"}, Env: []string{roleVariable + "=" + rolePlaceholder}}
}

// Hook returns at once in a program that was started as itself. In one that
// Twin or Placeholder started it does that work and never returns.
func Hook() {
	switch os.Getenv(roleVariable) {
	case roleSupervisor:
		os.Exit(beSupervisor())
	case rolePlaceholder:
		runtime.GOMAXPROCS(1)
		os.Stdin.Read(make([]byte, 1))
		time.Sleep(Linger)
		os.Exit(0)
	}
}

func beSupervisor() int {
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGTSTP,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGPIPE)
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(10)
	ownerGroup, err := strconv.Atoi(os.Getenv("OWNER_GROUP"))
	if err == nil {
		err = Serve(os.Stdin, ownerGroup)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // Into the null device, except in tests.
		return 2
	}
	return 0
}
