package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// list asks the go command which packages the patterns name on the platform.
// It returns their folders by import path; an external test package has the
// path of what it tests followed by "_test".
func (j *judge) list(ctx context.Context, platform Platform, patterns []string) (map[string]string, error) {
	const format = `{{if or .GoFiles .CgoFiles .TestGoFiles .XTestGoFiles}}{{.ImportPath}}	{{.Dir}}	{{len .XTestGoFiles}}{{end}}`
	args := []string{"list", "-e", "-find", "-f", format}
	args = append(args, j.BuildFlags...)
	if j.Tags != "" {
		args = append(args, "-tags="+j.Tags)
	}
	args = append(args, "--")
	args = append(args, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = j.Dir
	cmd.Env = append(os.Environ(), append(platform.env(), j.Env...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	listed := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		dir, external, ok := strings.Cut(rest, "\t")
		if !ok {
			continue
		}
		listed[path] = dir
		if external != "0" {
			listed[path+"_test"] = dir
		}
	}
	return listed, nil
}
