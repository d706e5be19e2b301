package lsp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/lsptest"
)

// TestRandomEditing opens, closes, renames, breaks, repairs, saves and edits files
// at random, with gopls behind the proxy that is killed now and then. At the end
// it shows what a fresh server shows of the same texts, and nothing is left.
//
// It takes a minute under HOLDFAST_E2E=1, or what HOLDFAST_TEST_CAMPAIGN says.
func TestRandomEditing(t *testing.T) {
	server := gopls(t)
	length := time.Minute
	if text := os.Getenv("HOLDFAST_TEST_CAMPAIGN"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	c := &campaign{t: t, random: rand.New(rand.NewPCG(seed, 0)), server: server}
	c.session = behindGopls(t, server, loopModule)
	c.root = c.Path("")
	for end := time.Now().Add(length); time.Now().Before(end); c.steps++ {
		c.step()
	}
	c.settle()
	t.Logf("%d steps, %d servers killed", c.steps, c.killed)
}

type campaign struct {
	*session
	t      *testing.T
	random *rand.Rand
	server string
	root   string
	steps  int
	killed int
	files  int
}

// step does one thing that a person may do.
func (c *campaign) step() {
	name := fmt.Sprintf("f%d.go", c.random.IntN(4))
	switch n := c.random.IntN(100); {
	case !c.IsOpen(name):
		c.OpenText(name, c.text(name))
	case n < 8:
		c.Close(name)
	case n < 12:
		c.rename(name)
	case n < 22 && strings.Contains(c.Text(name), "func"):
		c.Replace(name, "func", "fnc") // broken
	case n < 30:
		c.Save(name)
		c.FileChanged("elsewhere.go")
	case n == 30:
		c.kill()
	case n < 60:
		c.SetText(name, c.text(name))
	default:
		c.Replace(name, "package main\n", "package main\n\n// 🙂\n")
	}
	if c.random.IntN(6) == 0 { // most results come while somebody types
		time.Sleep(time.Duration(c.random.IntN(600)) * time.Millisecond)
	}
}

// text is a file that compiles, with a finding or without one.
func (c *campaign) text(name string) string {
	ident := strings.TrimSuffix(name, ".go")
	work := []string{"os.Remove(\"🙂\")", "_ = os.Args", "os.Remove(\"a\"); os.Remove(\"b\") // loop-block: ok — the file lies on a tmpfs\n"}
	return fmt.Sprintf("package main\n\nimport \"os\"\n\n//holdfast:loop\nfunc %s() { %s }\n", ident, work[c.random.IntN(len(work))])
}

func (c *campaign) rename(name string) {
	content := c.Text(name)
	c.Close(name)
	os.Remove(c.Path(name))
	c.files++
	renamed := fmt.Sprintf("g%d.go", c.files%3)
	if c.IsOpen(renamed) {
		c.Close(renamed)
	}
	c.OpenText(renamed, strings.Replace(content, "func f", "func "+strings.TrimSuffix(renamed, ".go")+"f", 1))
}

// kill kills gopls, and begins a new session with the same texts, as editors do.
func (c *campaign) kill() {
	texts := c.texts()
	for _, pid := range childrenNamed(c.t, "gopls") {
		if err := kill(pid); err != nil {
			c.t.Fatal(err)
		}
	}
	if code := <-c.code; code != 128+int(syscall.SIGKILL) {
		c.t.Errorf("exit code %d", code)
	}
	c.nothingLeft("holdfast") // what gopls' own go commands leave is theirs
	c.nothingRuns()
	c.killed++
	c.session = startIn(c.t, c.root, "-wrap", c.server, "serve")
	for name, content := range texts {
		c.OpenText(name, content)
	}
}

func (c *campaign) texts() map[string]string {
	texts := make(map[string]string)
	for i := range 4 {
		for _, name := range []string{fmt.Sprintf("f%d.go", i), fmt.Sprintf("g%d.go", i)} {
			if c.IsOpen(name) {
				texts[name] = c.Text(name)
			}
		}
	}
	return texts
}

// settle repairs everything and compares with a fresh server.
func (c *campaign) settle() {
	for i := range 4 {
		name := fmt.Sprintf("g%d.go", i)
		if c.IsOpen(name) {
			c.Close(name)
		}
		os.Remove(c.Path(name))
	}
	for i := range 4 {
		name := fmt.Sprintf("f%d.go", i)
		if !c.IsOpen(name) {
			c.OpenText(name, "")
		}
		c.SetText(name, c.text(name))
	}
	texts := c.texts()
	fresh := startIn(c.t, c.root)
	for name, content := range texts {
		fresh.OpenText(name, content)
	}
	want := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		findings := strings.Count(texts[name], "🙂\")") // that have no marker
		fresh.Until("the findings of "+name, func() bool {
			shown, _ := fresh.Shown(name)
			want[name] = lsptest.Describe(shown, "holdfast")
			return len(want[name]) == findings
		})
		c.ours(name, want[name]...)
	}
	fresh.quit(0)
	for name := range texts {
		c.Close(name)
		c.ours(name)
	}
	c.Quit()
	if code := <-c.code; code != 0 {
		c.t.Errorf("exit code %d", code)
	}
	c.nothingLeft("holdfast")
	c.nothingRuns()
	lsptest.Eventually(c.t, "every child to be gone", func() bool { return len(childrenNamed(c.t, "")) == 0 })
}

// nothingRuns waits until no process is left that the session has started, be it
// anybody's child by now: all of them have its temporary folder in their environment.
func (s *session) nothingRuns() {
	s.t.Helper()
	var left []string
	for end := time.Now().Add(lsptest.Patience); ; time.Sleep(10 * time.Millisecond) {
		if left = processesWith("TMPDIR=" + s.temp); len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("the session left running: %q", left)
		}
	}
}

// processesWith returns the command lines of other processes with a variable.
func processesWith(variable string) []string {
	var found []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		pid := filepath.Base(filepath.Dir(path))
		environment, err := os.ReadFile(path)
		if err != nil || pid == strconv.Itoa(os.Getpid()) || !slices.Contains(strings.Split(string(environment), "\x00"), variable) {
			continue // it has ended, or is somebody else's
		}
		command, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		found = append(found, pid+": "+strings.ReplaceAll(string(command), "\x00", " "))
	}
	return found
}
