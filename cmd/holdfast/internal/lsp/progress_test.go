package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/lsptest"
)

// A slowGo is a go command in PATH whose vet takes until the gate is opened.
type slowGo struct {
	t    *testing.T
	dir  string
	runs int // that had begun when somebody last looked
}

func newSlowGo(t *testing.T) *slowGo {
	t.Helper()
	program(t, "sh")
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	g := &slowGo{t: t, dir: t.TempDir()}
	script := fmt.Sprintf(`#!/bin/sh
if [ "$1" = vet ]; then
	echo >>%[1]s/begun
	while [ ! -e %[1]s/gate ]; do sleep 0.02; done
fi
exec %[2]s "$@"
`, g.dir, real)
	if err := os.WriteFile(filepath.Join(g.dir, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", g.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return g
}

// open lets this vet and all others go on.
func (g *slowGo) open() {
	g.t.Helper()
	write(g.t, filepath.Join(g.dir, "gate"), "")
}

// awaitRun waits for one more vet to begin.
func (g *slowGo) awaitRun() {
	g.t.Helper()
	g.runs++
	lsptest.Eventually(g.t, "go vet to begin", func() bool {
		begun, _ := os.ReadFile(filepath.Join(g.dir, "begun"))
		return strings.Count(string(begun), "\n") >= g.runs
	})
}

func TestProgress(t *testing.T) {
	t.Run("a run that takes its time is shown until it ends", func(t *testing.T) {
		vet := newSlowGo(t)
		s := start(t, loopModule)
		s.Open("main.go")
		s.showsProgress("create begin")
		vet.open()
		s.ours("main.go", onDisk)
		s.showsProgress("create begin report end")
		s.quit(0)
	})
	t.Run("a cancelled run ends its own, and the next has another", func(t *testing.T) {
		vet := newSlowGo(t)
		s := start(t, loopModule)
		s.Open("main.go")
		s.showsProgress("create begin")
		s.Replace("main.go", "package main", "package main\n\n// A line more.")
		s.showsProgress("create begin", "create begin end")
		vet.open()
		s.ours("main.go", "[11,28] loop-block")
		s.showsProgress("create begin end", "create begin report end")
		s.quit(0)
	})
	t.Run("an editor that did not ask for it gets none", func(t *testing.T) {
		vet := newSlowGo(t)
		s := startWithout(t, loopModule, "window")
		s.Open("main.go")
		vet.awaitRun()
		control := start(t, loopModule) // which is told later than s would be
		control.Open("main.go")
		control.showsProgress("create begin")
		vet.open()
		for _, session := range []*session{s, control} {
			session.ours("main.go", onDisk)
			session.quit(0)
		}
		s.showsProgress()
	})
	t.Run("an editor that refuses gets none", func(t *testing.T) {
		vet := newSlowGo(t)
		s := start(t, loopModule)
		s.Refuse("window/workDoneProgress/create")
		s.Open("main.go")
		s.showsProgress("create")
		vet.open()
		s.ours("main.go", onDisk)
		s.quit(0)
		s.showsProgress("create")
	})
	t.Run("behind the proxy", func(t *testing.T) {
		server := gopls(t)
		vet := newSlowGo(t)
		s := behindGopls(t, server, loopModule)
		s.Open("main.go")
		s.showsProgress("create begin")
		vet.open()
		s.ours("main.go", onDisk)
		s.showsProgress("create begin report end")
		s.quit(0)
	})
}

// showsProgress waits until these are the kinds of progress that the server has
// sent, one text for each token. Several reports in a row count as one.
func (s *session) showsProgress(want ...string) {
	s.t.Helper()
	s.Until("the progress "+strings.Join(want, "; "), func() bool {
		var got []string
		for token, kinds := range s.Progress() {
			if strings.HasPrefix(token, "holdfast-") { // the others are the wrapped server's
				got = append(got, strings.Join(slices.Compact(kinds), " "))
			}
		}
		slices.Sort(got)
		return slices.Equal(got, want)
	})
}
