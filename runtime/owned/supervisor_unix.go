//go:build unix

package owned

import (
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

// placeholderCommand is a program that does nothing until its input ends.
func placeholderCommand() *exec.Cmd {
	if useTwin() {
		return supervise.Placeholder(self())
	}
	return exec.Command(shell, "-c", "read -r _")
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
