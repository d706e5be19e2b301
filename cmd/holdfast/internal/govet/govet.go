// Package govet runs "go vet" with a vet tool of ours for one platform and
// turns what it prints into values. The go command brings what a driver needs
// most: its cache, its parallelism and its idea of a build.
package govet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/child"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

// A Command is one run of go vet.
type Command struct {
	Tool     string   // path of the vet tool
	Dir      string   // working directory
	Env      []string // added to the environment of this process
	Flags    []string // flags of the build and of the tool, without -json and -vettool
	Patterns []string // packages

	// Progress is called after each package that the go command is done with.
	// It may be nil.
	Progress func()
}

// A Result is what one run said.
type Result struct {
	// Packages holds the ID of every package that was judged: its import path.
	// An external test package has the path of the package that it tests
	// followed by "_test".
	Packages map[string]bool
	Findings []*finding.Finding // unsorted, may hold equal ones
	Problems []Problem          // not empty exactly if the go command failed
	Notes    []string           // what the go command said though it succeeded
}

// A Problem says why something was not judged.
type Problem struct {
	Package string // import path; empty if the go command named none
	Text    string // one or more lines
}

// Run runs the command and waits for it. When ctx is done it stops the go
// command and returns ctx's error. Other errors mean that the go command could
// not be run or broke off; what it said about packages is in the result.
func (c Command) Run(ctx context.Context) (*Result, error) {
	cmd := c.command(ctx)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("running go vet: %w", err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := child.Start(cmd); err != nil {
		return nil, fmt.Errorf("running go vet: %w", err)
	}
	result := &Result{Packages: make(map[string]bool)}
	decodeErr := result.decode(stdout, c.Progress)
	io.Copy(io.Discard, stdout) // so that the go command can finish
	waitErr := cmd.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("running go vet: %w", context.Cause(ctx))
	}
	if decodeErr != nil {
		return nil, fmt.Errorf("reading what go vet found: %w%s", decodeErr, orNothing(": ", stderr.String()))
	}
	return result, result.finish(waitErr, stderr.String())
}

func (c Command) command(ctx context.Context) *exec.Cmd {
	args := []string{"vet", "-vettool=" + c.Tool, "-json"}
	args = append(args, c.Flags...)
	args = append(args, "--")
	args = append(args, c.Patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	return cmd
}

// finish files what go vet wrote to standard error.
func (r *Result) finish(waitErr error, stderr string) error {
	blocks := splitBlocks(stderr)
	if waitErr == nil {
		for _, block := range blocks {
			r.Notes = append(r.Notes, block.Text)
		}
		return nil
	}
	var exit *exec.ExitError
	if !errors.As(waitErr, &exit) {
		return fmt.Errorf("running go vet: %w", waitErr)
	}
	if !exit.Exited() {
		return fmt.Errorf("go vet was ended by a signal (%w)%s", waitErr, orNothing(": ", stderr))
	}
	r.Problems = blocks
	if len(blocks) == 0 {
		r.Problems = []Problem{{Text: fmt.Sprintf("go vet failed and did not say why (%v)", waitErr)}}
	}
	return nil
}

func orNothing(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
