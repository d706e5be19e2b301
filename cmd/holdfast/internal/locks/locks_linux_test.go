package locks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// lockedDatabase returns a file on which this process holds RESERVED.
func lockedDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: 0x40000001, Len: 1}
	if err := unix.FcntlFlock(file.Fd(), unix.F_SETLK, &lock); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	locked := lockedDatabase(t)
	free := filepath.Join(t.TempDir(), "free.db")
	if err := os.WriteFile(free, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pid := fmt.Sprint(os.Getpid())
	tests := []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"locked", []string{locked}, 1, pid + "  RESERVED  " + locked + "  " + os.Args[0], ""},
		{"free", []string{free}, 0, "free.db: no write-class lock is held", ""},
		{"free, in JSON", []string{"-json", free}, 0, `"holders": []`, ""},
		{"no such file", []string{free + ".none"}, 2, "", "no such file"},
		{"nothing", nil, 2, "", "want one database, got 0"},
		{"two", []string{free, locked}, 2, "", "usage: holdfast locks"},
		{"an unknown flag", []string{"-x", free}, 2, "", "-x"},
		{"help", []string{"-h"}, 0, "exit codes:", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := Run(t.Context(), test.args, &stdout, &stderr); code != test.code {
				t.Errorf("exit %d, want %d", code, test.code)
			}
			if !strings.Contains(stdout.String(), test.stdout) || test.stdout == "" && stdout.Len() > 0 {
				t.Errorf("stdout %q, want %q", stdout.String(), test.stdout)
			}
			if !strings.Contains(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stderr %q, want %q", stderr.String(), test.stderr)
			}
		})
	}
}

func TestJSONIsForPrograms(t *testing.T) {
	locked := lockedDatabase(t)
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), []string{"-json", locked}, &stdout, &stderr); code != exitHeld {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	var got struct {
		Database string
		Holders  []struct {
			PID        int
			Locks      []string
			File       string
			Start, End int64
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Database != locked || len(got.Holders) != 1 {
		t.Fatalf("%+v", got)
	}
	if h := got.Holders[0]; h.PID != os.Getpid() || h.Locks[0] != "RESERVED" || h.Start != 0x40000001 || h.End != 0x40000001 {
		t.Errorf("%+v", h)
	}
}
