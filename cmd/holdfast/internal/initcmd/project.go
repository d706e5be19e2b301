package initcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// A project is where the command was called.
type project struct {
	dir       string // working directory
	module    string // folder of the module around it; empty if there is none
	root      string // folder of the workspace, or else of the module
	workspace bool
	repo      string // root of the git working tree; empty without git
	branch    string // that others branch from
	ref       string // tag or branch of holdfast that fits the tool line
}

// defaultRef is where an unreleased holdfast comes from.
const defaultRef = "main"

func findProject(ctx context.Context, dir string) (*project, error) {
	dir, err := inDir(dir)
	if err != nil {
		return nil, err
	}
	p := &project{dir: dir, ref: defaultRef}
	if p.root, err = ratchet.Root(ctx, dir); err != nil {
		return nil, err
	}
	if err := p.readEnvironment(ctx); err != nil {
		return nil, err
	}
	if p.repo, err = git.Root(ctx, p.root); err != nil {
		p.repo = ""
		return p, nil
	}
	p.branch = defaultBranch(ctx, p.repo)
	return p, nil
}

// defaultBranch is that of the remote; without a remote it is the one at hand.
func defaultBranch(ctx context.Context, repo string) string {
	head, err := git.Output(ctx, repo, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")
	if branch, ok := strings.CutPrefix(strings.TrimSpace(head), "origin/"); ok && err == nil {
		return branch
	}
	remotes, err := git.Output(ctx, repo, "remote")
	if err == nil && remotes == "" {
		if branch, err := git.Output(ctx, repo, "symbolic-ref", "--short", "HEAD"); err == nil {
			return strings.TrimSpace(branch)
		}
	}
	return "main"
}

func (p *project) readEnvironment(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOMOD", "GOWORK")
	cmd.Dir = p.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("asking the go command for its environment: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("reading the go command's environment: %w", err)
	}
	if env.GOMOD != "" && env.GOMOD != os.DevNull {
		p.module = filepath.Dir(env.GOMOD)
	}
	p.workspace = env.GOWORK != "" && env.GOWORK != "off"
	return nil
}

// below returns the root's folder below the repository with forward slashes; "."
// if they are one.
func (p *project) below() string {
	rel, err := filepath.Rel(p.repo, p.root)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// show returns a path as a person in the working directory would write it.
func (p *project) show(path string) string {
	if rel, err := filepath.Rel(p.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
