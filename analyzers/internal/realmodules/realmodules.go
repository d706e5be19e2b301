// Package realmodules looks for the symbols that the analyzers' tables name in
// the sources of the modules that have them. Only tests use it.
package realmodules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A Module is a module at the version that a go.mod file pins.
type Module struct {
	Path, Version string
	Dir           string // of its source; empty if there is none to look at
	Error         string // why
}

// Modules are pinned modules and the packages of theirs that were read.
type Modules struct {
	pinned   []Module
	packages map[string]*Package // by directory
}

// Pinned returns the modules that the go.mod file requires. Those in the
// module cache are always looked at; with HOLDFAST_E2E=1 the others are
// downloaded. A major version is a module of its own.
func Pinned(t *testing.T, goMod string) *Modules {
	t.Helper()
	return &Modules{pinned: download(t, required(t, goMod)), packages: make(map[string]*Package)}
}

// Packages returns the package, whose import path has no major version, in
// every version of its module that there is a source of. It is an error if no
// module that could have the package is pinned, and the source is missing from
// those that are there.
func (m *Modules) Packages(t *testing.T, path string) ([]*Package, error) {
	t.Helper()
	if dir := filepath.Join(goRoot(t), "src", filepath.FromSlash(path)); !strings.Contains(path, ".") && isDir(dir) {
		return []*Package{m.read(t, dir)}, nil
	}
	var found []*Package
	pinned := false
	for _, module := range m.pinned {
		plain := symbols.Path(module.Path)
		rest, ok := strings.CutPrefix(path+"/", plain+"/")
		if !ok {
			continue
		}
		pinned = true
		dir := filepath.Join(module.Dir, filepath.FromSlash(rest))
		if module.Dir != "" && isDir(dir) {
			found = append(found, m.read(t, dir))
		}
	}
	if !pinned {
		return nil, fmt.Errorf("no module is pinned for %s", path)
	}
	return found, nil
}

// Missing returns the pinned modules without a source, each with the reason.
func (m *Modules) Missing() []Module {
	var missing []Module
	for _, module := range m.pinned {
		if module.Dir == "" {
			missing = append(missing, module)
		}
	}
	return missing
}

// Has reports whether there is a source of every module that could have the
// package, so that a symbol that is nowhere is an error.
func (m *Modules) Has(path string) bool {
	for _, module := range m.Missing() {
		plain := symbols.Path(module.Path)
		if path == plain || strings.HasPrefix(path, plain+"/") {
			return false
		}
	}
	return true
}

func (m *Modules) read(t *testing.T, dir string) *Package {
	t.Helper()
	if m.packages[dir] == nil {
		m.packages[dir] = read(t, dir)
	}
	return m.packages[dir]
}

// required returns the modules that a go.mod file names.
func required(t *testing.T, goMod string) []string {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", goMod).Output()
	if err != nil {
		t.Fatalf("reading %s: %v", goMod, err)
	}
	var file struct{ Require []Module }
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatalf("reading %s: %v", goMod, err)
	}
	var modules []string
	for _, module := range file.Require {
		modules = append(modules, module.Path+"@"+module.Version)
	}
	return modules
}

// download finds the sources of the modules.
func download(t *testing.T, modules []string) []Module {
	t.Helper()
	cmd := exec.Command("go", append([]string{"mod", "download", "-json"}, modules...)...)
	cmd.Dir = t.TempDir() // no module: only the arguments count
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if os.Getenv("HOLDFAST_E2E") != "1" {
		cmd.Env = append(cmd.Env, "GOPROXY=off")
	}
	out, runErr := cmd.Output() // an error for one module is in its output too
	var found []Module
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module Module
		err := decoder.Decode(&module)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("downloading the modules: %v (%v)", runErr, err)
		}
		found = append(found, module)
	}
	if len(found) != len(modules) {
		t.Fatalf("downloading the modules: told of %d of %d: %v", len(found), len(modules), runErr)
	}
	return found
}

func goRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("finding the standard library: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
