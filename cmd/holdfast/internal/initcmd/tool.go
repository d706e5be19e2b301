package initcmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const (
	modulePath = "github.com/holdfast-go/holdfast"
	program    = modulePath + "/cmd/holdfast"
)

// proposeTool adds a tool line to go.mod, as "go get -tool" does, and finds out
// which version that is.
func (p *project) proposeTool(ctx context.Context, version string) ([]proposal, error) {
	wanted := program + "@" + release(version)
	if release(version) == version {
		p.ref = version
	}
	command := "go get -tool " + wanted + "\n"
	if p.module == "" {
		return []proposal{{file: filepath.Join(p.root, "go.work"), note: "the tool line belongs into one of its modules; there, run", add: command}}, nil
	}
	path := filepath.Join(p.module, "go.mod")
	before, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the module: %w", err)
	}
	if found, ref, err := toolIn(path, before); err != nil || found {
		p.ref = ref
		return []proposal{{file: path, note: "has holdfast as a tool"}}, err
	}
	if _, err := os.Stat(filepath.Join(p.module, "vendor", "modules.txt")); err == nil {
		return []proposal{{file: path, note: "left alone, as vendor must change with it; run", add: command + "go mod vendor\n"}}, nil
	}
	after, sum, err := p.getTool(ctx, wanted)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("adding the tool: %w", context.Cause(ctx))
	}
	if err != nil {
		return []proposal{{file: path, note: fmt.Sprintf("left alone, as go get failed (%v); run", err), add: command}}, nil
	}
	if _, p.ref, err = toolIn(path, after); err != nil {
		return nil, err
	}
	sums := filepath.Join(p.module, "go.sum")
	oldSums, err := read(sums)
	if err != nil {
		return nil, fmt.Errorf("reading the module's sums: %w", err)
	}
	return []proposal{{file: path, before: before, after: after}, {file: sums, before: oldSums, after: sum, quiet: true}}, nil
}

// release is what to ask for: this program's own version, if others can get it.
func release(version string) string {
	if semver.IsValid(version) && semver.Build(version) == "" && !module.IsPseudoVersion(version) {
		return version
	}
	return "latest"
}

// toolIn reports whether a go.mod file has the tool line, and which tag or
// branch the required version is.
func toolIn(path string, text []byte) (found bool, ref string, err error) {
	file, err := modfile.Parse(path, text, nil)
	if err != nil {
		return false, "", fmt.Errorf("reading the module: %w", err)
	}
	ref = defaultRef
	found = file.Module != nil && file.Module.Mod.Path == modulePath
	for _, tool := range file.Tool {
		found = found || tool.Path == program
	}
	for _, require := range file.Require {
		if require.Mod.Path == modulePath && release(require.Mod.Version) == require.Mod.Version {
			ref = require.Mod.Version
		}
	}
	return found, ref, nil
}

// getTool runs "go get -tool" on a copy of go.mod and go.sum and returns both.
func (p *project) getTool(ctx context.Context, wanted string) (mod, sum []byte, err error) {
	dir, err := os.MkdirTemp("", "holdfast-init-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := read(filepath.Join(p.module, name))
		if err == nil && text != nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "get", "-tool", "-modfile="+filepath.Join(dir, "go.mod"), wanted)
	cmd.Dir = p.module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return nil, nil, fmt.Errorf("%w: %s", err, lastLine(output.String()))
	}
	if mod, err = os.ReadFile(filepath.Join(dir, "go.mod")); err != nil {
		return nil, nil, err
	}
	sum, err = read(filepath.Join(dir, "go.sum"))
	return mod, sum, err
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
