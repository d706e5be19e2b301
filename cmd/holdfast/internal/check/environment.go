package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// An environment is what the go command takes for granted in a folder.
type environment struct {
	GOOS, GOARCH string
	CgoEnabled   string `json:"CGO_ENABLED"`
	GOFLAGS      string
	GOMOD        string // go.mod file of the module around the folder
	GOWORK       string // go.work file in force
}

// readEnvironment asks the go command. It is an error if there is no module.
func readEnvironment(ctx context.Context, dir string, extra ...string) (environment, error) {
	var env environment
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOOS", "GOARCH", "CGO_ENABLED", "GOFLAGS", "GOMOD", "GOWORK")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), extra...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return env, errors.New("there is no go command in PATH: holdfast runs go vet, so install Go (https://go.dev/doc/install)")
	}
	if err != nil {
		return env, fmt.Errorf("asking the go command for its environment: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("reading the go command's environment: %w", err)
	}
	if env.GOWORK == "off" {
		env.GOWORK = ""
	}
	if env.GOMOD == os.DevNull {
		env.GOMOD = ""
	}
	if env.GOMOD == "" && env.GOWORK == "" {
		return env, &NoModuleError{dir}
	}
	return env, nil
}

// A NoModuleError says that a folder belongs to no module.
type NoModuleError struct{ Dir string }

func (e *NoModuleError) Error() string {
	return e.Dir + " is not in a Go module: there is no go.mod or go.work file there or above; run holdfast inside the module, or create one with go mod init"
}

// root is the folder of the workspace, or else of the module.
func (e environment) root() string {
	if e.GOWORK != "" {
		return filepath.Dir(e.GOWORK)
	}
	return filepath.Dir(e.GOMOD)
}

// A module is one whose source is edited here: the main module, or one of the
// workspace.
type module struct {
	path    string
	dir     string
	ignored []string // patterns of ignore lines in go.mod
}

// modules reads the go.mod files of the modules in force.
func (e environment) modules() ([]module, error) {
	if e.GOWORK == "" {
		m, err := readModule(e.GOMOD)
		return []module{m}, err
	}
	data, err := os.ReadFile(e.GOWORK)
	if err != nil {
		return nil, fmt.Errorf("reading the workspace: %w", err)
	}
	work, err := modfile.ParseWork(e.GOWORK, data, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the workspace: %w", err)
	}
	var modules []module
	for _, use := range work.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(e.GOWORK), dir)
		}
		m, err := readModule(filepath.Join(dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// file is the module's go.mod file.
func (m module) file() string { return filepath.Join(m.dir, "go.mod") }

func readModule(name string) (module, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return module{}, fmt.Errorf("reading the module: %w", err)
	}
	file, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return module{}, fmt.Errorf("reading the module: %w", err)
	}
	if file.Module == nil {
		return module{}, fmt.Errorf("reading the module: %s has no module line", name)
	}
	m := module{path: file.Module.Mod.Path, dir: filepath.Dir(name)}
	for _, ignore := range file.Ignore {
		m.ignored = append(m.ignored, ignore.Path)
	}
	return m, nil
}

// ignores reports whether an ignore line of go.mod covers the folder: "./x"
// means that one, "x" every folder of that name, with all below.
func (m module) ignores(dir string) bool {
	rel, err := filepath.Rel(m.dir, dir)
	if err != nil {
		return false
	}
	path := "/" + filepath.ToSlash(rel) + "/"
	for _, pattern := range m.ignored {
		rooted, isRooted := strings.CutPrefix(pattern, "./")
		element := "/" + strings.Trim(rooted, "/") + "/"
		if isRooted && strings.HasPrefix(path, element) || !isRooted && strings.Contains(path, element) {
			return true
		}
	}
	return false
}

// flagOf returns the last value that GOFLAGS gives a flag, such as "tags".
func (e environment) flagOf(name string) string {
	value := ""
	for field := range strings.FieldsSeq(e.GOFLAGS) {
		field = strings.TrimLeft(strings.Trim(field, `'"`), "-")
		if v, ok := strings.CutPrefix(field, name+"="); ok {
			value = v
		}
	}
	return value
}
