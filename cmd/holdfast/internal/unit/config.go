package unit

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/paths"
)

// config describes one unit, as the go command writes it to vet.cfg.
type config struct {
	ID                        string            // import path as the go command prints it
	Dir                       string            // folder of the package
	ImportPath                string            // import path
	GoVersion                 string            // language version, such as "go1.26.0"
	GoFiles                   []string          // absolute paths; cgo's output instead of its input
	NonGoFiles                []string          // absolute paths
	IgnoredFiles              []string          // absolute paths of files that build constraints exclude
	ModulePath                string            // empty outside a module; see Module
	ModuleVersion             string            // empty in the main module; see Module
	Module                    *analysis.Module  // go 1.27 and later
	ImportMap                 map[string]string // import path in the source to package path
	PackageFile               map[string]string // package path to file with the compiler's export data
	PackageVetx               map[string]string // package path to facts file
	VetxOnly                  bool              // only facts are wanted
	VetxOutput                string            // facts file to write
	Stdout                    string            // file that stands for standard output, if not empty
	FixArchive                string            // zip file for fixed files, if not empty
	SucceedOnTypecheckFailure bool              // exit 0 if the package does not compile
}

func readConfig(name string) (*config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the unit's configuration: %w", err)
	}
	cfg := new(config)
	if err := json.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("decoding the unit's configuration %s: %w", name, err)
	}
	if cfg.ImportPath == "" || len(cfg.GoFiles) == 0 {
		return nil, fmt.Errorf("the unit's configuration %s names no package with Go files", name)
	}
	return cfg, nil
}

// isStandard reports whether the unit is a package of the standard library that
// the go command reached as a dependency. cfg.Standard lists only what the
// package imports, never the package itself.
func (c *config) isStandard() bool {
	if !c.VetxOnly || c.module() != nil {
		return false
	}
	if root := os.Getenv("GOROOT"); root != "" { // the go command sets it for its tools
		return paths.IsBelow(filepath.Join(root, "src"), c.Dir)
	}
	first, _, _ := strings.Cut(c.ImportPath, "/")
	return !strings.Contains(first, ".")
}

// isPromoted reports whether a unit of which only facts are wanted must be
// printed all the same.
//
// The go command (1.26) stores the output of a unit under a key that does not
// say whether only facts were wanted. So if "go vet ./q" comes first, and q
// imports p, a later "go vet ./p" would find p's empty output in the cache.
// A package with test files of its own is exempt: there "go vet ./p" runs on
// the package with its tests, which has another key.
func (c *config) isPromoted() bool {
	module := c.module()
	return module != nil && module.Version == "" && !c.hasOwnTests()
}

// hasOwnTests reports whether a _test.go file of the package itself (not of an
// external p_test package) belongs to this build.
func (c *config) hasOwnTests() bool {
	names, err := filepath.Glob(filepath.Join(globEscape(c.Dir), "[^._]*_test.go"))
	if err != nil {
		return false
	}
	for _, name := range names {
		if slices.Contains(c.IgnoredFiles, name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		if err == nil && !strings.HasSuffix(file.Name.Name, "_test") {
			return true
		}
	}
	return false
}

// module returns the module of the package, or nil outside one.
func (c *config) module() *analysis.Module {
	if c.Module != nil {
		return c.Module
	}
	if c.ModulePath == "" {
		return nil
	}
	return &analysis.Module{Path: c.ModulePath, Version: c.ModuleVersion, GoVersion: c.GoVersion}
}

// dropTests takes _test.go files out of the unit. Nothing may be left.
func (c *config) dropTests() {
	isTest := func(name string) bool { return strings.HasSuffix(name, "_test.go") }
	c.GoFiles = slices.DeleteFunc(c.GoFiles, isTest)
	c.IgnoredFiles = slices.DeleteFunc(c.IgnoredFiles, isTest)
}

// writeFacts writes the facts file for the packages that import this one.
func (c *config) writeFacts(data []byte) error {
	if c.VetxOutput == "" {
		return nil
	}
	if err := os.WriteFile(c.VetxOutput, data, 0o666); err != nil {
		return fmt.Errorf("writing the facts of %s: %w", c.ImportPath, err)
	}
	return nil
}

// writeOutput writes what the go command takes for the tool's standard output.
func (c *config) writeOutput(stdout io.Writer, data []byte) error {
	var err error
	if c.Stdout != "" {
		err = os.WriteFile(c.Stdout, data, 0o666)
	} else {
		_, err = stdout.Write(data)
	}
	if err != nil {
		return fmt.Errorf("writing the findings of %s: %w", c.ImportPath, err)
	}
	return nil
}

// globEscape makes a path mean itself in a pattern of path/filepath.Match.
func globEscape(path string) string {
	if filepath.Separator == '\\' { // no escapes on Windows
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
