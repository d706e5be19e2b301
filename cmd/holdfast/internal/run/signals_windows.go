package run

import (
	"os"
	"os/signal"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// signals are the Ctrl-C and Ctrl-Break of the console, which the command does
// not get since it has a process group of its own.
type signals chan os.Signal

func catch() signals {
	caught := make(signals, 16)
	signal.Notify(caught, os.Interrupt)
	return caught
}

func (s signals) to(child *owned.Child) {
	for number := range s {
		child.Signal(number)
	}
}

func codeOf(state *os.ProcessState) int { return state.ExitCode() }
