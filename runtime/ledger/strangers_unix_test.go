//go:build unix

package ledger_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// plantStrangers puts things into the directory that are called like ledgers.
func plantStrangers(t *testing.T, dir string) []string {
	t.Helper()
	row := []byte(`{"event":"start","process":{"boot":"b","pid":1,"start":1}}` + "\n")
	paths := []string{"b.1.1.jsonl", "b.2.2.jsonl", "b.3.3.jsonl", "whose.jsonl"}
	for i := range paths {
		paths[i] = filepath.Join(dir, paths[i])
	}
	for _, err := range []error{
		syscall.Mkfifo(paths[0], 0o600),
		os.Mkdir(paths[1], 0o700),
		os.Symlink("/dev/zero", paths[2]),
		os.WriteFile(paths[3], row, 0o600),
		os.WriteFile(filepath.Join(dir, "notes.txt"), row, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}
