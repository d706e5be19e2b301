//go:build unix

package owned

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
)

// shell is the one that POSIX systems have.
const shell = "/bin/sh"

var hooked atomic.Bool

// hook does the work of a supervisor if this process was started for it.
func hook() {
	supervise.Hook()
	hooked.Store(true)
}

// standardSupervisor is the program that is the supervisor: a shell, or this
// program itself where there is none and Hook was called.
func standardSupervisor() func() *exec.Cmd {
	if useTwin() {
		return supervise.Twin(self())
	}
	return supervise.Shell(shell)
}

// placeholderCommand is a program that does nothing until its input ends, and
// for [supervise.Linger] after that, so that it proves its group to a supervisor
// that sees its own input end at the same time.
func placeholderCommand() *exec.Cmd {
	if useTwin() {
		return supervise.Placeholder(self())
	}
	return exec.Command(shell, "-c", fmt.Sprintf("read -r _; exec sleep %.0f", supervise.Linger.Seconds()))
}

func useTwin() bool {
	if !hooked.Load() {
		return false
	}
	_, err := os.Stat(shell)
	return err != nil
}

// self is this program, even if its file has been replaced since it started.
func self() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	path, _ := os.Executable()
	return path
}
