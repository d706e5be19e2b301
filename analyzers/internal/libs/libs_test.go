package libs

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		protects        string
		pkg, recv, name string
		want            string
	}{
		{"function", "github.com/creack/pty", "", "Start", startsOnPTY},
		{"method", "github.com/sevlyar/go-daemon", "Context", "Reborn", startsSelf},
		{"major version", "github.com/creack/pty/v2", "", "Start", startsOnPTY},
		{"major version inside the path", "gopkg.in/hlandau/service.v3/daemon", "", "Daemonize", leavesSession},
		{"vendored", "example.org/app/vendor/github.com/creack/pty", "", "StartWithSize", startsOnPTY},
		{"another function", "github.com/creack/pty", "", "Open", ""},
		{"attributes are the caller's", "github.com/creack/pty", "", "StartWithAttrs", ""},
		{"another method", "github.com/sevlyar/go-daemon", "Context", "Search", ""},
		{"function with a method's name", "github.com/sevlyar/go-daemon", "", "Reborn", ""},
		{"method with a function's name", "github.com/creack/pty", "Winsize", "Start", ""},
		{"package in the same module", "github.com/creack/pty/examples", "", "Start", ""},
		{"path that only starts like a version", "github.com/creack/pty/v2ray", "", "Start", ""},
		{"standard library", "os/exec", "Cmd", "Start", ""},
		{"nothing", "", "", "", ""},
	} {
		t.Run(c.protects, func(t *testing.T) {
			entry, ok := Lookup(c.pkg, c.recv, c.name)
			if entry.What != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %t, want %q", entry.What, ok, c.want)
			}
		})
	}
}

// Paths in the table are looked up without a major version.
func TestTablePathsArePlain(t *testing.T) {
	for f := range table {
		if plain := plainPath(f.pkg); plain != f.pkg {
			t.Errorf("%s is never found: it is looked up as %s", f.pkg, plain)
		}
	}
}

// TestRealModules checks that every function in the table is declared in the
// module that it is said to be in, at the version in testdata/realmodules.
// Modules that are in the module cache are always looked at; with
// HOLDFAST_E2E=1 the others are downloaded. One that the proxy refuses to
// serve is left out and named.
func TestRealModules(t *testing.T) {
	modules := pinnedModules(t)
	looked := 0
	for f := range table {
		m, ok := moduleOf(f.pkg, modules)
		if !ok {
			t.Errorf("testdata/realmodules/go.mod pins no module for %s", f.pkg)
			continue
		}
		t.Run(fmt.Sprintf("%s.%s.%s", f.pkg, f.recv, f.name), func(t *testing.T) {
			dir, err := download(t, m)
			if err != nil {
				t.Skip(err)
			}
			looked++
			pkgDir := filepath.Join(dir, strings.TrimPrefix(f.pkg, plainPath(m.Path)))
			if !declares(t, pkgDir, f) {
				t.Errorf("%s declares no %s %s", m, f.recv, f.name)
			}
		})
	}
	if looked == 0 && os.Getenv("HOLDFAST_E2E") == "1" {
		t.Error("no module could be downloaded")
	}
}

func pinnedModules(t *testing.T) []module.Version {
	t.Helper()
	const path = "testdata/realmodules/go.mod"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(path, content, nil)
	if err != nil {
		t.Fatal(err)
	}
	var modules []module.Version
	for _, r := range file.Require {
		modules = append(modules, r.Mod)
	}
	return modules
}

// moduleOf returns the module that has the package.
func moduleOf(pkg string, modules []module.Version) (module.Version, bool) {
	for _, m := range modules {
		if plain := plainPath(m.Path); pkg == plain || strings.HasPrefix(pkg, plain+"/") {
			return m, true
		}
	}
	return module.Version{}, false
}

// download returns the directory of a module's source.
func download(t *testing.T, m module.Version) (dir string, err error) {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", m.String())
	cmd.Dir = t.TempDir() // no module: only m counts
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if os.Getenv("HOLDFAST_E2E") != "1" {
		cmd.Env = append(cmd.Env, "GOPROXY=off")
	}
	out, runErr := cmd.Output()
	var result struct{ Dir, Error string }
	if err := json.Unmarshal(out, &result); err != nil {
		return "", fmt.Errorf("downloading %s: %v", m, runErr)
	}
	if result.Error != "" {
		return "", fmt.Errorf("downloading %s: %s", m, result.Error)
	}
	return result.Dir, nil
}

// declares reports whether a file in the directory, for whatever platform,
// declares the function.
func declares(t *testing.T, dir string, f function) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Go file in %s: %v", dir, err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if ok && d.Name.Name == f.name && receiver(d) == f.recv {
				return true
			}
		}
	}
	return false
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	id, _ := expr.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}
