//go:build unix

package owned

import (
	"os/exec"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/supervise"
)

// standardSupervisor is the program that is the supervisor.
func standardSupervisor() func() *exec.Cmd {
	return supervise.Shell("/bin/sh")
}

// placeholderCommand is a program that does nothing until its input ends.
func placeholderCommand() *exec.Cmd {
	return exec.Command("/bin/sh", "-c", "read -r _")
}
