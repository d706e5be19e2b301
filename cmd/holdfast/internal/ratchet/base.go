package ratchet

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
)

// LoadBase reads the baseline as it was in a git revision. file is its path, in
// the working tree and below root or relative to root. A revision without the
// file has no entries. A revision that is not in the repository is an error that
// says how to get it; it is never taken for an empty baseline.
//
// The revision is compared as it is: in a branch behind it, name the merge base.
func LoadBase(ctx context.Context, root, rev, file string) ([]Entry, error) {
	if err := git.CheckRevision(rev); err != nil {
		return nil, err
	}
	repo := repository{dir: root}
	commit, err := repo.git(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return nil, repo.missing(ctx, rev)
	}
	path, err := repo.path(file)
	if err != nil {
		return nil, err
	}
	name := rev + ":" + path
	blob, err := repo.blob(ctx, strings.TrimSpace(commit), path)
	if err != nil {
		return nil, fmt.Errorf("reading the base's baseline %s: %w", name, err)
	}
	if blob == "" {
		return nil, nil
	}
	text, err := repo.git(ctx, "show", blob)
	if err != nil {
		return nil, fmt.Errorf("reading the base's baseline %s: %w", name, err)
	}
	return Parse(name, []byte(text))
}

// A repository is a git working tree, seen from a directory in it.
type repository struct{ dir string }

func (r repository) git(ctx context.Context, args ...string) (string, error) {
	return git.Output(ctx, r.dir, args...)
}

// path returns file as git names it from the repository's directory.
func (r repository) path(file string) (string, error) {
	if !filepath.IsAbs(file) {
		return filepath.ToSlash(filepath.Clean(file)), nil
	}
	rel, err := filepath.Rel(r.dir, file)
	if err != nil {
		return "", fmt.Errorf("the baseline %s is not below %s: %w", file, r.dir, err)
	}
	return filepath.ToSlash(rel), nil
}

// blob returns the object ID of a regular file in a commit, or "".
func (r repository) blob(ctx context.Context, commit, path string) (string, error) {
	listing, err := r.git(ctx, "ls-tree", "-z", commit, "--", path)
	if err != nil || listing == "" {
		return "", err
	}
	meta, _, _ := strings.Cut(listing, "\t") // mode, type and ID
	fields := strings.Fields(meta)
	if len(fields) != 3 || fields[1] != "blob" || !strings.HasPrefix(fields[0], "100") {
		return "", errors.New("it is not a regular file there")
	}
	return fields[2], nil
}

// missing explains why a revision cannot be read and how to get it.
func (r repository) missing(ctx context.Context, rev string) error {
	shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("reading the base %q: %w", rev, ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("the base %q cannot be read: there is no git command here", rev)
	case err != nil:
		return fmt.Errorf("the base %q cannot be read: %s is not a git working tree: %w", rev, r.dir, err)
	case strings.TrimSpace(shallow) == "true":
		return fmt.Errorf("the base %q is not in this shallow clone: get it with %q (in GitHub Actions: actions/checkout with fetch-depth: 0)",
			rev, fetch(rev, "--depth=1", "--unshallow"))
	}
	return fmt.Errorf("the base %q is not a commit of this repository: check its name, or get it with %q", rev, fetch(rev, "", ""))
}

var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// fetch returns the command that brings a revision into the repository.
// One option fits where the revision can be asked for by name, the other where
// only the history that leads to it can.
func fetch(rev, named, history string) string {
	words := []string{"git", "fetch", named, "origin"}
	branch, remote := strings.CutPrefix(rev, "origin/")
	switch {
	case remote:
		words = append(words, branch+":refs/remotes/"+rev)
	case commitID.MatchString(rev):
		words = append(words, rev)
	default:
		words[2] = history
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
