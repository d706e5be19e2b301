// Package companion finds holdfast-suite, the vet tool with the analyzers of
// go vet and staticcheck besides holdfast's own.
//
// It is a program of its own because of what merely linking those analyzers
// costs. The go command starts a vet tool once for every package and for every
// package that those depend on. Measured on linux/amd64, a start takes 6 ms of
// CPU for an empty Go program, 11 ms for holdfast, 22 ms with go vet's
// analyzers linked in and 36 ms with staticcheck's: more than all that holdfast
// does in most packages. Package initialisation is most of it, and a program
// cannot put that off.
package companion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Package is the import path of the program.
const Package = "github.com/holdfast-go/holdfast/cmd/holdfast/holdfast-suite"

const name = "holdfast-suite"

// Find returns the path of the program: the one that lies beside this program,
// or one built from the source that this program was built from.
func Find(ctx context.Context) (string, error) {
	if path, ok := Beside(); ok {
		return path, nil
	}
	path, err := build(ctx)
	if err != nil {
		return "", fmt.Errorf("-with needs the program %s: install it beside holdfast (go install %s@latest): %w", name, Package, err)
	}
	return path, nil
}

// Beside returns the path of the program in the folder of this one, if it is there.
func Beside() (string, bool) {
	self, err := os.Executable()
	if err != nil {
		return "", false
	}
	path := filepath.Join(filepath.Dir(self), executable(name))
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}

// Wanted reports whether the arguments of a vet tool ask for analyzers that the
// companion has.
func Wanted(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return strings.HasPrefix(arg, "-") && name == "with" && value != ""
	})
}

// Run runs the companion in this program's place and returns its exit code.
func Run(path string, args []string, stdout, stderr io.Writer) int {
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode()
	}
	fmt.Fprintf(stderr, "holdfast: running %s: %v\n", path, err)
	return 1
}

// build compiles the program into the user's cache, where the go command finds
// nothing to do the next time.
func build(ctx context.Context) (string, error) {
	source, ok := sourceFolder()
	if !ok {
		return "", errors.New("it is not there, and neither is the source of holdfast to build it from")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "holdfast", executable(name))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, Package)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK=off")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("building it from %s: %w: %s", source, err, bytes.TrimSpace(output.Bytes()))
	}
	return path, nil
}

// sourceFolder returns the folder of this file, if the program was built where
// it runs and without -trimpath.
func sourceFolder() (string, bool) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", false
	}
	_, err := os.Stat(file)
	return filepath.Dir(file), err == nil
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
