//go:build unix

package atomicfile_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// asWriter makes this test binary replace the file that it names until it is killed.
const asWriter = "HOLDFAST_TEST_ATOMICFILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(asWriter); path != "" {
		replaceForEver(path)
	}
	os.Exit(m.Run())
}

// replaceForEver writes contents that are known by any of their bytes, and tells of
// each that is there.
func replaceForEver(path string) {
	for i := 0; ; i++ {
		if err := atomicfile.Write(path, content(i), atomicfile.SyncNone); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if _, err := fmt.Println(i); err != nil {
			os.Exit(1) // the test is gone
		}
	}
}

const contentSize = 256 << 10 // many pages, so that writing it takes a while

func content(i int) []byte {
	return []byte(strings.Repeat(string(rune('a'+i%26)), contentSize))
}

func checkContent(t *testing.T, path string) {
	t.Helper()
	text := read(t, path)
	if len(text) != contentSize || strings.Trim(text, text[:1]) != "" {
		t.Fatalf("the file is neither an old one nor a new one: %d bytes", len(text))
	}
}

// TestAKillLeavesTheOldFileOrTheNew kills a writer again and again, beside another
// that writes a file in the same folder and must not notice.
func TestAKillLeavesTheOldFileOrTheNew(t *testing.T) {
	kills := 30
	if os.Getenv("HOLDFAST_E2E") == "1" {
		kills = 1000
	}
	dir := t.TempDir()
	path, controlPath := filepath.Join(dir, "file"), filepath.Join(dir, "control")
	control := startWriter(t, controlPath)
	left := 0
	for range kills {
		w := startWriter(t, path)
		w.await(t, 1)
		time.Sleep(time.Duration(rand.IntN(int(2 * time.Millisecond)))) // when it dies is chance
		w.kill(t)
		checkContent(t, path)
		temporary, _ := filepath.Glob(filepath.Join(dir, ".file.*"))
		left += len(temporary)
		if len(temporary) > 1 {
			t.Fatalf("one writer left %q", temporary)
		}
		atomicfile.Tidy(path)
		checkContent(t, path)
		control.await(t, 1)
		checkContent(t, controlPath)
	}
	t.Logf("%d kills, of which %d left a temporary file", kills, left)
	control.kill(t)
	atomicfile.Tidy(controlPath)
	holds(t, dir, "control", "file")
}

// A writer is a process.
type writer struct {
	cmd    *exec.Cmd
	output *bufio.Scanner
}

func startWriter(t *testing.T, path string) *writer {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asWriter+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	w := &writer{cmd, bufio.NewScanner(out)}
	w.await(t, 1)
	return w
}

// await waits for so many more replacements.
func (w *writer) await(t *testing.T, more int) {
	t.Helper()
	for range more {
		if !w.output.Scan() {
			t.Fatalf("the writer has ended: %v", w.output.Err())
		}
		if _, err := strconv.Atoi(w.output.Text()); err != nil {
			t.Fatalf("the writer says %q", w.output.Text())
		}
	}
}

func (w *writer) kill(t *testing.T) {
	t.Helper()
	if err := w.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.cmd.Wait()
}
