package campaign

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The versions of the real programs that the registries of their languages have.
const (
	gopls     = "golang.org/x/tools/gopls@v0.23.0"
	mcpServer = "@modelcontextprotocol/server-everything@2026.8.31"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"campaign","version":"1"}}}` + "\n"

// TestProgramsDieWithTheirOwner is TestFamiliesDieWithTheirOwner with real
// programs. Some of them end with their input, as they should.
func TestProgramsDieWithTheirOwner(t *testing.T) {
	if !endToEnd {
		t.Skip("needs HOLDFAST_E2E=1: it installs programs")
	}
	dir := t.TempDir()
	installPrograms(t, dir)
	measure(t, variants[:2], available(t, programs(dir)))
}

// programs are the real ones. Chromium's sandbox does not run as root, and the
// servers of gopls go by a name so that no two owners share one.
func programs(dir string) []family {
	repository, npx := filepath.Join(dir, "repository"), filepath.Join(dir, "node_modules/.bin/mcp-server-everything")
	chromium := "setsid chromium --headless --no-sandbox --disable-gpu --remote-debugging-port=0 --user-data-dir=%DIR% about:blank >/dev/null 2>&1 &"
	bridge := `const { spawn } = require("child_process"); for (let i = 0; i < 2; i++) spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], ` +
		`{ detached: true, stdio: "ignore" }); require("http").createServer().listen(0); process.on("SIGTERM", () => {})`
	pool := `import multiprocessing, time; multiprocessing.set_start_method("spawn"); p = multiprocessing.Pool(2); time.sleep(1000)`
	return []family{
		{name: "MCP server (server-everything)", programs: [][]string{{"sh", "-c", npx + " stdio"}}, processes: 1, stdin: true, say: initialize, real: true},
		{name: "browser (chromium, launched as a daemon)", programs: [][]string{{"sh", "-c", chromium}}, processes: 4, real: true},
		{name: "language server (gopls -remote=auto)", programs: [][]string{{filepath.Join(dir, "gopls"), "-remote=auto;%ID%", "serve"}}, processes: 2, stdin: true, real: true},
		{name: "code cells (python3 multiprocessing)", programs: [][]string{{"python3", "-c", pool}}, processes: 4, real: true},
		{name: "bridge (node, detached helpers)", programs: [][]string{{"node", "-e", bridge}}, processes: 3, real: true},
		{name: "app server (python3 -m http.server)", programs: [][]string{{"python3", "-m", "http.server", "0", "--bind", "127.0.0.1"}}, processes: 1, real: true},
		{name: "git (repack, commit-graph)", programs: [][]string{
			{"sh", "-c", "cp -r " + repository + " %DIR%/r && exec nice -n 19 git -C %DIR%/r -c pack.threads=1 repack -adfq --window=5000 --depth=500"},
			{"git", "-C", repository, "commit-graph", "write", "--stdin-commits"},
		}, processes: 3, stdin: true, real: true},
	}
}

// installPrograms installs, all at once, what no system package has.
func installPrograms(t *testing.T, dir string) {
	t.Helper()
	install := exec.Command("go", "install", gopls)
	install.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	install.Dir = dir // Outside of any module.
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", dir, mcpServer)
	var wait sync.WaitGroup
	for _, cmd := range []*exec.Cmd{install, npm} {
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", cmd, err, out)
			}
		})
	}
	makeRepository(t, filepath.Join(dir, "repository"))
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// makeRepository makes one that git needs minutes to repack: many versions of
// a long text without order.
func makeRepository(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("git", "init", "-q", "--bare", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	var stream strings.Builder
	for i := range 600 {
		var text strings.Builder
		for range 3000 {
			fmt.Fprintf(&text, "%d\n", rand.IntN(5000))
		}
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata 1\nx\nM 644 inline file%d\ndata %d\n%s\n", 1_000_000_000+i, i%20, text.Len(), &text)
	}
	load := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	load.Stdin = strings.NewReader(stream.String())
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
}
