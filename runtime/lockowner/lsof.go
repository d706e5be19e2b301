//go:build unix

package lockowner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// lsofBound bounds one run of lsof(8), which can hang on a dead network mount.
const lsofBound = 5 * time.Second

// lsof returns the processes that have one of the files open, as candidates.
// It exits with 1 if some file is nobody's, and then says nothing on stderr.
func lsof(ctx context.Context, files []string) ([]Holder, error) {
	ctx, cancel := context.WithTimeout(ctx, lsofBound)
	defer cancel()
	program := exec.CommandContext(ctx, "lsof", append([]string{"-w", "-n", "-P", "-F", "pcn", "--"}, files...)...)
	program.WaitDelay = time.Second
	var stderr bytes.Buffer
	program.Stderr = &stderr
	out, err := program.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("lsof is not installed: %w", errors.ErrUnsupported)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("waiting for lsof: %w", ctx.Err())
	case err != nil && (stderr.Len() > 0 || program.ProcessState == nil || program.ProcessState.ExitCode() != 1):
		return nil, fmt.Errorf("running lsof: %w: %.200s", err, stderr.String())
	}
	return parseLsof(string(out)), nil
}

// parseLsof reads lsof's output for other programs (-F): a line for each field,
// named by its first letter, where p begins a process and f a descriptor.
func parseLsof(text string) []Holder {
	var holders []Holder
	var process Holder
	seen := make(map[string]bool)
	for line := range strings.Lines(text) {
		field, value := line[0], strings.TrimSuffix(line[1:], "\n")
		switch field {
		case 'p':
			pid, _ := strconv.Atoi(value)
			process = Holder{PID: pid, Self: pid == os.Getpid(), Candidate: true}
			clear(seen)
		case 'c':
			process.Command = quoteWord(value)
		case 'n':
			if process.PID < 1 || seen[value] {
				continue
			}
			seen[value] = true
			holder := process
			holder.File = value
			holders = append(holders, holder)
		}
	}
	return holders
}
