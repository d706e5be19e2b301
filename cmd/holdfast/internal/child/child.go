// Package child is the one place where a long-lived command of holdfast starts
// another program, so that how it is owned is decided once.
package child

import (
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// Delay is how long a program may take to stop once it was interrupted, before
// it is killed: time for a compiler to finish a package.
const Delay = 5 * time.Second

// Start starts the command. A command with a context is interrupted when that
// ends, and killed [Delay] later, unless it says otherwise.
func Start(cmd *exec.Cmd) error {
	prepare(cmd)
	return cmd.Start()
}

// Own starts a command that runs for as long as this process does, as [Start]
// would, and has it ended with all that it started when this process dies in any
// way. Short-lived ones are not worth a supervisor.
func Own(cmd *exec.Cmd) error {
	prepare(cmd)
	_, err := owned.Start(cmd, owned.WaitElsewhere())
	return err
}

func prepare(cmd *exec.Cmd) {
	if cmd.Cancel != nil && runtime.GOOS != "windows" { // which has no interrupt to send
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = Delay
	}
}
