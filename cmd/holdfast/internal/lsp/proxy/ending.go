package proxy

import (
	"errors"
	"os/exec"
	"syscall"
)

// couldNotRun is the exit code if there is no server, or none that is understood.
const couldNotRun = 2

// An ending is how a connection ended.
type ending struct {
	waited  error // what waiting for the server returned
	misread error // what was read that is not the protocol, or nil
}

// reason says why, or "" if the server ended in peace.
func (e ending) reason() string {
	var exit *exec.ExitError
	switch {
	case e.misread != nil:
		return e.misread.Error()
	case errors.As(e.waited, &exit):
		return exit.ProcessState.String()
	}
	return ""
}

// exitCode is what a shell would say of the server. One that was ended because
// nobody understood what is said has not earned a success.
func (e ending) exitCode() int {
	var exit *exec.ExitError
	switch {
	case e.waited == nil && e.misread == nil:
		return 0
	case !errors.As(e.waited, &exit):
		return couldNotRun
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		if e.misread != nil {
			return couldNotRun
		}
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
