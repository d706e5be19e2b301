//go:build unix

package run

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// signals are the ones that are sent to this process for the command. What a
// terminal sends reaches the command by itself, as it is in the foreground.
type signals chan os.Signal

// catch catches the signals that this process does not ignore. One that it
// ignores, as SIGHUP under nohup, is left to be ignored by the command too.
func catch() signals {
	caught := make(signals, 16)
	for _, number := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH,
	} {
		if !signal.Ignored(number) {
			signal.Notify(caught, number)
		}
	}
	return caught
}

func (s signals) to(child *owned.Child) {
	for number := range s {
		child.Signal(number)
	}
}

func codeOf(state *os.ProcessState) int {
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return exitSignalShift + int(status.Signal())
	}
	return state.ExitCode()
}
