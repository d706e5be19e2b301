package companion_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The suite, go vet's analyzers and staticcheck's run in one process and
// report together; without -with only the suite does.
func TestWithRunsTheOthersInOnePass(t *testing.T) {
	if testing.Short() {
		t.Skip("links staticcheck")
	}
	bin := t.TempDir()
	run(t, "", "go", "build", "-o", bin+string(filepath.Separator), "github.com/holdfast-go/holdfast/cmd/holdfast", "github.com/holdfast-go/holdfast/cmd/holdfast/holdfast-suite")
	module := t.TempDir()
	write(t, module, "go.mod", "module m\n\ngo 1.26\n")
	write(t, module, "m.go", `package m

import (
	"fmt"
	"os/exec"
	"syscall"
)

func F() {
	fmt.Printf("%d\n", "text")
	cmd := exec.Command("server")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	x := 1
	x = x
	_ = cmd.Run()
}
`)
	holdfast := filepath.Join(bin, "holdfast")
	alone := run(t, module, holdfast, "check", "-platforms=linux")
	together := run(t, module, holdfast, "check", "-platforms=linux", "-with", "vet,staticcheck")
	for _, want := range []string{"Setsid: true", "Printf", "self-assignment"} {
		if !strings.Contains(together, want) {
			t.Errorf("with the others, no %q in:\n%s", want, together)
		}
	}
	if !strings.Contains(alone, "Setsid: true") || strings.Contains(alone, "Printf") {
		t.Errorf("alone, want the suite's finding only; got:\n%s", alone)
	}
}

// run returns what a command prints; findings make it exit 1, which is fine.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
