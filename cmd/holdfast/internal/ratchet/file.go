package ratchet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Root returns the directory that the baseline and its packages belong to: that
// of the go.work file in force at dir, or of the module that dir is in.
func Root(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOWORK", "GOMOD")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("asking the go command for the module of %s: %w: %s", dir, err, bytes.TrimSpace(stderr.Bytes()))
	}
	var env struct{ GOWORK, GOMOD string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("reading the go command's environment in %s: %w", dir, err)
	}
	for _, file := range []string{env.GOWORK, env.GOMOD} {
		if filepath.IsAbs(file) && file != os.DevNull {
			return filepath.Dir(file), nil
		}
	}
	return "", fmt.Errorf("%s is not in a Go module: no go.mod or go.work file there or above", dir)
}

// Load reads a baseline file. A file that does not exist has no entries.
func Load(path string) ([]Entry, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	return Parse(path, data)
}

// Save replaces a baseline file in one step: a reader sees the old text or the
// new one, and a crash leaves one of the two. Without entries there is no file.
func Save(path string, entries []Entry) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if len(entries) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the empty baseline: %w", err)
		}
		return nil
	}
	if err := replace(path, Format(entries)); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}

// replace writes data beside path and renames it over path.
func replace(path string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if _, err := file.Write(data); err != nil {
		return err
	}
	if err := file.Chmod(modeOf(path)); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// modeOf returns the permissions of a file, and those of new text otherwise.
func modeOf(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
