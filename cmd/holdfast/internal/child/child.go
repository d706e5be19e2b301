// Package child is the one place where a long-lived command of holdfast starts
// another program, so that how it is owned is decided once.
package child

import (
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Delay is how long a program may take to stop once it was interrupted, before
// it is killed: time for a compiler to finish a package.
const Delay = 5 * time.Second

// Start starts the command. A command with a context is interrupted when that
// ends, and killed [Delay] later, unless it says otherwise.
func Start(cmd *exec.Cmd) error {
	if cmd.Cancel != nil && runtime.GOOS != "windows" { // which has no interrupt to send
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = Delay
	}
	return cmd.Start()
}
