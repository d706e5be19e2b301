package ledger_test

import (
	"os"
	"path/filepath"
	"testing"
)

// plantStrangers puts things into the directory that are called like ledgers.
func plantStrangers(t *testing.T, dir string) []string {
	t.Helper()
	path := filepath.Join(dir, "b.2.2.jsonl")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{path}
}
