package procid_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A program in a new PID namespace that still has the old /proc would read
// strangers' lines under its own numbers.
func TestTheProcOfAnotherNamespaceSaysNothing(t *testing.T) {
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), roleVariable+"=say who is PID 1")
	program.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	out, err := program.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("making a PID namespace needs a privilege: ", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "another PID namespace"; !strings.Contains(string(out), want) {
		t.Errorf("got %q, want an error with %q", out, want)
	}
	if _, err := procid.Of(os.Getpid()); err != nil {
		t.Error(err)
	}
}
