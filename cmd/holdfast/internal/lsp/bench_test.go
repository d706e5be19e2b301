package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkKeystroke measures from an edit to the diagnostics of its version,
// warm: in a package of two files, and in gopls' own cache package, whose module
// has 700 packages with its dependencies. Each edit is a new text, so that no
// result is in a cache. The pause after the last key is part of it.
//
// It also reports how much memory the server takes, without the go commands that
// it runs.
func BenchmarkKeystroke(b *testing.B) {
	b.Run("small", func(b *testing.B) {
		benchKeystroke(b, start(b, loopModule), "main.go")
	})
	b.Run("gopls cache", func(b *testing.B) {
		dir := copyOfGopls(b)
		benchKeystroke(b, startIn(b, dir), "internal/cache/snapshot.go")
	})
}

func benchKeystroke(b *testing.B, s *session, name string) {
	s.Open(name)
	s.SetText(name, s.Text(name)+"\n//holdfast:loop\nfunc keystroke() { os.Remove(\"0\") }\n")
	s.awaitVersion(name)
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		s.Replace(name, fmt.Sprintf("os.Remove(\"%d\")", i), fmt.Sprintf("os.Remove(\"%d\")", i+1))
		s.awaitVersion(name)
		times = append(times, time.Since(begin))
	}
	b.ReportMetric(float64(median(times).Milliseconds()), "ms-p50")
	b.ReportMetric(float64(times[len(times)*95/100].Milliseconds()), "ms-p95")
	b.ReportMetric(peakMB(os.Getpid()), "MB") // with the editor
}

// awaitVersion waits until what is shown is about the text at hand.
func (s *session) awaitVersion(name string) {
	s.t.Helper()
	s.Until("a result", func() bool {
		shown, version := s.Shown(name)
		return len(shown) > 0 && version == s.Version(name)
	})
}

// copyOfGopls makes a module to edit of the one in the module cache.
func copyOfGopls(b *testing.B) string {
	b.Helper()
	scratch := b.TempDir()
	cmd := exec.Command("go", "mod", "download", "-json", "golang.org/x/tools/gopls@"+goplsVersion)
	cmd.Dir = scratch
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("downloading gopls: %v: %s", err, out)
	}
	source := filepath.Join(goEnv(b, "GOMODCACHE"), "golang.org/x/tools", "gopls@"+goplsVersion)
	if err := os.CopyFS(filepath.Join(scratch, "gopls"), os.DirFS(source)); err != nil {
		b.Fatal(err)
	}
	return filepath.Join(scratch, "gopls")
}
