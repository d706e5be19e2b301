package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The cache program, its server, and the version that is tried.
const goToolCache = "github.com/bradfitz/go-tool-cache/cmd/%s@v0.0.0-20260722201841-0bb331e19f64"

// Two machines share a cache through GOCACHEPROG; each has a clean checkout and
// nothing on its own disk. What the first has analysed the second does not.
//
// Machines whose checkouts lie in the same folder share everything. In another
// folder the go command compiles, and so vets, the module's own packages again,
// as the folder is part of what it compiles ("dir" in buildActionID of
// cmd/go/internal/work); packages of the standard library are shared. -trimpath
// takes the folder out.
func TestCheckUnderACacheProgram(t *testing.T) {
	if os.Getenv("HOLDFAST_E2E") == "" {
		t.Skip("it compiles the standard library: HOLDFAST_E2E=1 runs it")
	}
	server := startCacheServer(t)
	in := func(dir, flags string) machine {
		m := machine{t: t, dir: filepath.Join(server.dir, "work", dir), server: server, flags: flags}
		m.checkOut()
		return m
	}
	first, units := in("one", "").check()
	own := ownUnits(units)
	if len(own) < 2 {
		t.Fatalf("the first machine analysed %q", units)
	}
	again, units := in("one", "").check()
	if len(units) > 0 || again != first {
		t.Errorf("in the same folder %q were analysed again; it said\n%s\nand then\n%s", units, first, again)
	}
	other, units := in("two", "").check()
	if !slices.Equal(units, own) || other != first {
		t.Errorf("in another folder %q were analysed again, want %q; it said\n%s", units, own, other)
	}
	trimmed, units := in("one", "-trimpath").check()
	if len(ownUnits(units)) != len(own) || trimmed != first {
		t.Errorf("with -trimpath %q were analysed; it said\n%s", units, trimmed)
	}
	trimmed, units = in("two", "-trimpath").check()
	if len(units) > 0 || trimmed != first {
		t.Errorf("with -trimpath in another folder %q were analysed again; it said\n%s", units, trimmed)
	}
}

// ownUnits returns those of the fixture's module.
func ownUnits(units []string) []string {
	return slices.DeleteFunc(slices.Clone(units), func(unit string) bool { return !strings.HasPrefix(unit, "example.com/m") })
}

// A machine has a checkout and an empty cache.
type machine struct {
	t      *testing.T
	dir    string
	server *cacheServer
	flags  string
}

func (m machine) checkOut() {
	m.t.Helper()
	if err := os.RemoveAll(m.dir); err != nil {
		m.t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":   "module example.com/m\n\ngo 1.26\n",
		"run/r.go": "package run\n\nimport \"os/exec\"\n\n// Run runs.\nfunc Run() { exec.Command(\"setsid\", \"server\").Run() }\n",
		"m.go":     "package m\n\nimport \"example.com/m/run\"\n\n//holdfast:loop\nfunc loop() { run.Run() }\n\nvar _ = loop\n",
	} {
		path := filepath.Join(m.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			m.t.Fatal(err)
		}
	}
}

// check returns what holdfast says and which units it was run on, sorted.
func (m machine) check() (output string, units []string) {
	m.t.Helper()
	log := filepath.Join(m.t.TempDir(), "units")
	cmd := exec.Command(toolPath(), "check", "-v", "-platforms=linux")
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), unitLog+"="+log, "GOFLAGS="+m.flags, "GOWORK=off", "GOPROXY=off", "CGO_ENABLED=0",
		"GOCACHE="+m.t.TempDir(), fmt.Sprintf("GOCACHEPROG=%s -cache-dir=%s -cache-server=%s", m.server.client, m.t.TempDir(), m.server.url))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 {
		m.t.Fatalf("holdfast check: %v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	units = strings.Fields(string(text))
	slices.Sort(units)
	return string(out), units
}

// A cacheServer is what machines share.
type cacheServer struct{ dir, url, client string }

func startCacheServer(t *testing.T) *cacheServer {
	t.Helper()
	s := &cacheServer{dir: t.TempDir()}
	for _, name := range []string{"go-cacher", "go-cacher-server"} {
		install := exec.Command("go", "install", fmt.Sprintf(goToolCache, name))
		install.Env = append(os.Environ(), "GOBIN="+s.dir, "GOFLAGS=")
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("installing %s: %v\n%s", name, err, out)
		}
	}
	s.client = filepath.Join(s.dir, "go-cacher")
	address := freeAddress(t)
	s.url = "http://" + address
	server := exec.Command(filepath.Join(s.dir, "go-cacher-server"), "-listen="+address, "-cache-dir="+t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if response, err := http.Get(s.url); err == nil {
			response.Body.Close()
			return s
		}
		if time.Now().After(deadline) {
			t.Fatal("the cache server does not answer")
		}
	}
}

func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
