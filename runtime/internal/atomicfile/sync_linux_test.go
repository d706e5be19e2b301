package atomicfile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// asReplacer names what the test replaces while strace(1) looks on.
const asReplacer = "HOLDFAST_TEST_REPLACE"

// TestSyncForcesToTheDiskWhatItSays looks at the system calls, since nothing short
// of a power cut would tell the difference.
func TestSyncForcesToTheDiskWhatItSays(t *testing.T) {
	if path := os.Getenv(asReplacer); path != "" {
		if err := atomicfile.Write(path, []byte("text"), kinds[filepath.Base(path)]); err != nil {
			t.Fatal(err)
		}
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		skip(t, err)
	}
	for name, want := range map[string][]string{
		"SyncNone":   {"rename"},
		"SyncFile":   {"fsync", "rename"},
		"SyncFolder": {"fsync", "rename", "fsync"},
	} {
		dir := t.TempDir()
		log := filepath.Join(t.TempDir(), "log")
		cmd := exec.Command(strace, "-f", "-o", log, "-e", "trace=fsync,fdatasync,sync_file_range,rename,renameat,renameat2",
			os.Args[0], "-test.run=^TestSyncForcesToTheDiskWhatItSays$")
		cmd.Env = append(os.Environ(), asReplacer+"="+filepath.Join(dir, name))
		if out, err := cmd.CombinedOutput(); err != nil {
			skip(t, strings.TrimSpace(string(out)), err)
		}
		wants(t, filepath.Join(dir, name), "text")
		if got := calls(read(t, log)); !slices.Equal(got, want) {
			t.Errorf("%s makes the calls %q, want %q", name, got, want)
		}
	}
}

func skip(t *testing.T, why ...any) {
	t.Helper()
	if os.Getenv("HOLDFAST_E2E") == "1" {
		t.Fatal(why...)
	}
	t.Skip(why...)
}

var call = regexp.MustCompile(`^\d+ +(fsync|fdatasync|sync_file_range|rename)\w*\(`)

// calls returns the names of the system calls in a log, in their order.
func calls(log string) []string {
	var names []string
	for line := range strings.Lines(log) {
		if m := call.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}
