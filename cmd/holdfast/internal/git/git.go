// Package git asks the git command about a working tree.
package git

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Output returns what a git command prints when it runs in dir, or an error
// with what it complains of. Output waits for git; ctx bounds it.
func Output(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

// Root returns the root of the working tree that dir is in, spelt as dir is: a
// symbolic link on the way to dir stays one.
func Root(ctx context.Context, dir string) (string, error) {
	up, err := Output(ctx, dir, "rev-parse", "--show-cdup")
	if err != nil {
		return "", fmt.Errorf("looking for the git working tree of %s: %w", dir, err)
	}
	return filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(up, "\n"))), nil
}

// CheckRevision returns an error for a text that git would not take for the
// name of a revision but for something else.
func CheckRevision(rev string) error {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return fmt.Errorf("the base %q is not the name of a git revision", rev)
	}
	return nil
}
