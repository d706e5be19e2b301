package lockowner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The SQLite of these tests is the real one, in two makes: the C library in
// its own shell, and its translation to Go.

// endToEnd says that what a test needs has to be there.
var endToEnd = os.Getenv("HOLDFAST_E2E") == "1"

func forEachSQLite(t *testing.T, test func(t *testing.T, start func(t *testing.T, database string) *user)) {
	t.Run("C", func(t *testing.T) {
		shell, err := exec.LookPath("sqlite3")
		if err != nil {
			missing(t, "the sqlite3 shell", err)
		}
		test(t, func(t *testing.T, database string) *user { return startUser(t, shell, database) })
	})
	t.Run("Go", func(t *testing.T) {
		if testing.Short() {
			t.Skip("building SQLite takes half a minute where the cache is cold")
		}
		program, err := buildSQLite()
		if err != nil {
			missing(t, "modernc.org/sqlite", err)
		}
		test(t, func(t *testing.T, database string) *user { return startUser(t, program, database) })
	})
}

func missing(t *testing.T, what string, err error) {
	if endToEnd {
		t.Fatalf("%s: %v", what, err)
	}
	t.Skipf("%s is not to be had: %v", what, err)
}

// buildSQLite builds the program of testdata/sqlite, once. It is a module of
// its own, to keep what it requires out of the main one.
var buildSQLite = sync.OnceValues(func() (string, error) {
	program := filepath.Join(buildDirectory, "sqlite")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("testdata", "sqlite")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

var buildDirectory string

func TestMain(m *testing.M) {
	if playPart() {
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "lockowner")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	buildDirectory = dir
	code := m.Run()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// A user is another process that uses a database.
type user struct {
	t       *testing.T
	process *exec.Cmd
	input   io.WriteCloser
	output  *bytes.Buffer // complete after end
}

func startUser(t *testing.T, program, database string) *user {
	t.Helper()
	u := &user{t: t, process: exec.Command(program, database), output: new(bytes.Buffer)}
	u.process.Stdout, u.process.Stderr = u.output, u.output
	input, err := u.process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	u.input = input
	if err := u.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		u.kill()
		if t.Failed() {
			t.Logf("%s %d said: %s", filepath.Base(program), u.pid(), u.output)
		}
	})
	return u
}

func (u *user) pid() int { return u.process.Process.Pid }

func (u *user) sql(statements ...string) {
	u.t.Helper()
	for _, statement := range statements {
		if _, err := io.WriteString(u.input, statement+";\n"); err != nil {
			u.t.Fatal(err)
		}
	}
}

// end closes the input and waits, so that all statements have been run.
func (u *user) end() {
	u.input.Close()
	u.process.Wait()
}

func (u *user) kill() {
	u.process.Process.Kill()
	u.end()
}

// newDatabase returns a database with a table in the journal mode.
func newDatabase(t *testing.T, start func(*testing.T, string) *user, mode string) string {
	t.Helper()
	database := filepath.Join(t.TempDir(), "state.db")
	maker := start(t, database)
	maker.sql("PRAGMA journal_mode="+mode, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	maker.end()
	return database
}

// A claim is what a holder has to be.
type claim struct {
	user *user
	file string // after the database's name
	want string // its locks
}

// wantHolders waits until Find names exactly the holders of the claims.
func wantHolders(t *testing.T, database string, claims ...claim) {
	t.Helper()
	var want []string
	for _, c := range claims {
		want = append(want, fmt.Sprintf("pid %d holds %s on state.db%s", c.user.pid(), c.want, c.file))
	}
	slices.Sort(want)
	var got []string
	eventually(t, func() string { return fmt.Sprintf("holders %q, want %q", got, want) }, func() bool {
		report, err := Find(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		for _, holder := range report.Holders {
			got = append(got, holder.String())
			if holder.Candidate || holder.Self || holder.Command == "" {
				t.Fatalf("a proven holder with a command line is %+v", struct{ Holder }{holder})
			}
		}
		slices.Sort(got)
		return slices.Equal(got, want)
	})
}

func eventually(t *testing.T, what func() string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what())
		}
	}
}

// waitForRead waits until the process has a read lock that begins in the range.
func waitForRead(t *testing.T, u *user, first, last int64) {
	t.Helper()
	what := func() string { return fmt.Sprintf("pid %d never had a read lock in [%d, %d]", u.pid(), first, last) }
	eventually(t, what, func() bool {
		for _, fields := range locksOf(t, u) {
			start, err := strconv.ParseInt(fields[6], 10, 64)
			if err == nil && fields[3] == "READ" && start >= first && start <= last {
				return true
			}
		}
		return false
	})
}

func waitUntilUnlocked(t *testing.T, u *user) {
	t.Helper()
	eventually(t, func() string { return fmt.Sprintf("pid %d kept a lock", u.pid()) }, func() bool {
		return len(locksOf(t, u)) == 0
	})
}

// locksOf returns the fields of the process's lines in /proc/locks.
func locksOf(t *testing.T, u *user) [][]string {
	t.Helper()
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	var locks [][]string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 8 && fields[4] == strconv.Itoa(u.pid()) {
			locks = append(locks, fields)
		}
	}
	return locks
}

func TestTheWriterOfAWALDatabaseIsNamed(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		database := newDatabase(t, start, "wal")
		bystander := start(t, database)
		bystander.sql("SELECT * FROM t")
		waitForRead(t, bystander, 128, 128)
		wantHolders(t, database)

		writer := start(t, database)
		writer.sql("BEGIN IMMEDIATE")
		wantHolders(t, database, claim{writer, shmSuffix, "WAL write"})
		writer.sql("INSERT INTO t VALUES (2)", "COMMIT")
		wantHolders(t, database)

		writer.sql("BEGIN IMMEDIATE")
		wantHolders(t, database, claim{writer, shmSuffix, "WAL write"})
		writer.kill()
		wantHolders(t, database)
	})
}

func TestTheWriterOfARollbackDatabaseIsNamed(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		for _, mode := range []string{"delete", "truncate", "persist"} {
			database := newDatabase(t, start, mode)
			writer := start(t, database)
			writer.sql("BEGIN IMMEDIATE")
			wantHolders(t, database, claim{writer, "", "RESERVED"})
			writer.sql("COMMIT", "BEGIN EXCLUSIVE")
			wantHolders(t, database, claim{writer, "", "PENDING+RESERVED+SHARED range (exclusive)"})
			writer.sql("COMMIT")
			wantHolders(t, database)
		}
	})
}

func TestAReaderIsNoHolderAndTheWriterThatWaitsForItIs(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		database := newDatabase(t, start, "delete")
		reader := start(t, database)
		reader.sql("BEGIN", "SELECT * FROM t")
		waitForRead(t, reader, mainLocks[2].first, mainLocks[2].last)
		wantHolders(t, database)

		writer := start(t, database)
		writer.sql("BEGIN IMMEDIATE", "INSERT INTO t VALUES (2)", "COMMIT")
		wantHolders(t, database, claim{writer, "", "PENDING+RESERVED"})
		reader.sql("COMMIT")
		waitUntilUnlocked(t, reader)
		writer.sql("COMMIT")
		wantHolders(t, database)
	})
}

func TestACheckpointThatWaitsForAReaderIsNamed(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		database := newDatabase(t, start, "wal")
		reader := start(t, database)
		reader.sql("BEGIN", "SELECT * FROM t")
		waitForRead(t, reader, 123, 127)
		writer := start(t, database)
		writer.sql("INSERT INTO t VALUES (2)")
		writer.end() // has written what the checkpoint has to move
		checkpointer := start(t, database)
		checkpointer.sql("PRAGMA busy_timeout=60000", "PRAGMA wal_checkpoint(TRUNCATE)")
		wantHolders(t, database, claim{checkpointer, shmSuffix, "WAL write+WAL checkpoint"})
		reader.sql("COMMIT")
		wantHolders(t, database)
	})
}

func TestAnExclusiveWALDatabaseIsLockedInItsMainFile(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		database := newDatabase(t, start, "wal")
		owner := start(t, database)
		owner.sql("PRAGMA locking_mode=EXCLUSIVE", "INSERT INTO t VALUES (2)")
		// Some releases keep PENDING as well.
		want := fmt.Sprintf("pid %d holds SHARED range (exclusive) on state.db", owner.pid())
		var got Report
		eventually(t, func() string { return fmt.Sprintf("%v, want %q", got, want) }, func() bool {
			got = mustFind(t, database)
			return slices.ContainsFunc(got.Holders, func(h Holder) bool { return h.String() == want })
		})
	})
}

func TestOnlyTheHolderOfTheDatabaseAskedForIsNamed(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		one, other := newDatabase(t, start, "wal"), newDatabase(t, start, "wal")
		first, second := start(t, one), start(t, other)
		first.sql("BEGIN IMMEDIATE")
		second.sql("BEGIN IMMEDIATE")
		wantHolders(t, one, claim{first, shmSuffix, "WAL write"})
		wantHolders(t, other, claim{second, shmSuffix, "WAL write"})
	})
}

func TestALinkToTheDatabaseFindsItsHolder(t *testing.T) {
	forEachSQLite(t, func(t *testing.T, start func(*testing.T, string) *user) {
		database := newDatabase(t, start, "wal")
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(database, link); err != nil {
			t.Fatal(err)
		}
		writer := start(t, database)
		writer.sql("BEGIN IMMEDIATE")
		wantHolders(t, link, claim{writer, shmSuffix, "WAL write"})
		t.Chdir(filepath.Dir(link))
		wantHolders(t, "link", claim{writer, shmSuffix, "WAL write"})
	})
}

func BenchmarkFind(b *testing.B) {
	database := filepath.Join(b.TempDir(), "state.db")
	if err := os.WriteFile(database, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Find(b.Context(), database); err != nil {
			b.Fatal(err)
		}
	}
}
