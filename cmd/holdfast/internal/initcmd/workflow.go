package initcmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The actions that the workflow uses, by commit: a tag can be moved.
const (
	checkoutAction = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2"
	setupGoAction  = "actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5 # v5.5.0"
)

// workflowFile is the workflow's path below the repository.
const workflowFile = ".github/workflows/holdfast.yml"

// proposeWorkflow adds a workflow for GitHub Actions, unless one runs holdfast.
func (p *project) proposeWorkflow() (proposal, error) {
	if p.repo == "" {
		return proposal{file: p.root, note: "is in no git working tree, so there is nothing to add for CI"}, nil
	}
	path := filepath.Join(p.repo, filepath.FromSlash(workflowFile))
	if other, err := p.workflowWithHoldfast(filepath.Dir(path)); err != nil || other != "" {
		return proposal{file: other, note: "runs holdfast"}, err
	}
	_, err := os.Lstat(path)
	if err == nil {
		return proposal{file: path, note: "left alone, as it is there and is not ours; a workflow would be", add: p.workflow()}, nil
	}
	return proposal{file: path, after: []byte(p.workflow())}, nil
}

// workflowWithHoldfast returns the path of a workflow that runs holdfast, or "".
func (p *project) workflowWithHoldfast(dir string) (string, error) {
	for _, pattern := range []string{"*.yml", "*.yaml"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", fmt.Errorf("reading the workflows: %w", err)
			}
			if bytes.Contains(text, []byte("holdfast-go/holdfast")) || bytes.Contains(text, []byte("holdfast check")) {
				return name, nil
			}
		}
	}
	return "", nil
}

func (p *project) workflow() string {
	version := "go.mod"
	if p.workspace {
		version = "go.work"
	}
	with := ""
	if below := p.below(); below != "." {
		version = below + "/" + version
		with = fmt.Sprintf("        with:\n          working-directory: %q\n", below)
	}
	return strings.NewReplacer("BRANCH", p.branch, "CHECKOUT", checkoutAction, "SETUP", setupGoAction,
		"GOVERSION", version, "REF", p.ref, "WITH", with).Replace(`name: holdfast

on:
  push:
    branches: ["BRANCH"]
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: CHECKOUT
        with:
          persist-credentials: false
      - uses: SETUP
        with:
          go-version-file: "GOVERSION"
      # Runs what the tool line of go.mod says, and else its own revision.
      - uses: holdfast-go/holdfast@REF
WITH`)
}
