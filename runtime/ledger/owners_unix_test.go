//go:build unix

package ledger_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestThreeOwnersKeepAllTheirChildren(t *testing.T) {
	dir := t.TempDir()
	owners := []*owner{}
	for range 3 {
		owners = append(owners, startOwner(t, dir, "start children", "15"))
	}
	for _, o := range owners {
		o.expect(t, "ready")
	}
	dead := owners[0]
	t.Cleanup(func() { killAll(recordOf(t, dir, dead.id).Live) })
	dead.kill()
	for i, o := range owners {
		record := recordOf(t, dir, o.id)
		if len(processes(record.Live)) != 15 || len(record.Problems) > 0 {
			t.Errorf("owner %d kept %d of 15 children: %s", i, len(processes(record.Live)), asJSON(record))
		}
		for _, e := range record.Live {
			if e.Process.State() != procid.Alive {
				t.Errorf("owner %d: child %v is %v", i, e.Process, e.Process.State())
			}
		}
		if record.Dead() != (o == dead) || record.Locked == (o == dead) {
			t.Errorf("owner %d: alive %v, locked %v", i, record.Alive, record.Locked)
		}
	}
	for _, o := range owners[1:] {
		killAll(recordOf(t, dir, o.id).Live)
	}
}

// killAll ends children of owners; their identities are checked first.
func killAll(entries []ledger.Entry) {
	for _, e := range entries {
		if e.Process.State() == procid.Alive {
			syscall.Kill(e.Process.PID, syscall.SIGKILL)
		}
	}
}

func TestSixteenOwnersWriteAtOnceAndLoseNothing(t *testing.T) {
	const rows = 500
	dir := t.TempDir()
	var owners []*owner
	for range 16 {
		owners = append(owners, startOwner(t, dir, "append rows", strconv.Itoa(rows)))
	}
	for _, o := range owners {
		o.expect(t, "ready")
	}
	for _, o := range owners {
		io.WriteString(o.in, "go\n")
	}
	for _, o := range owners {
		o.expect(t, "done")
		o.kill()
	}
	for i, o := range owners {
		record := recordOf(t, dir, o.id)
		if len(processes(record.Live)) != rows || len(record.Problems) > 0 {
			t.Errorf("owner %d kept %d of %d rows; problems %q", i, len(processes(record.Live)), rows, record.Problems)
		}
	}
}

// The owner dies at an arbitrary byte, also of a file that replaces another.
// What it had noted before is there.
func TestKilledWriterLosesNoRowThatItNoted(t *testing.T) {
	for range campaign(30, 300) {
		dir := t.TempDir()
		o := startOwner(t, dir, "churn")
		o.expect(t, "0")
		go func() {
			time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
			o.Process.Kill()
		}()
		noted := lastNumber(t, o)
		o.Wait()
		record := recordOf(t, dir, o.id)
		live := processes(record.Live)
		// The oldest may have ended by the next round, which was not noted.
		for n := max(0, noted-churning+2); n <= noted; n++ {
			if !live[imaginary(n)] {
				t.Fatalf("killed after row %d: row %d is lost; problems %q", noted, n, record.Problems)
			}
		}
		if len(record.Problems) > 1 || len(live) > churning+2 || !record.Dead() {
			t.Fatalf("killed after row %d: %v, %d live, problems %q", noted, record.Alive, len(live), record.Problems)
		}
		if err := ledger.Remove(dir, o.id); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Fatalf("removing left %q", left)
		}
	}
}

// However often the owner puts a new file in the place of the old one, there
// is always one, it holds who lives, and it is locked.
func TestReaderFindsAWholeFileAtEveryMoment(t *testing.T) {
	dir := t.TempDir()
	o := startOwner(t, dir, "churn")
	go io.Copy(io.Discard, o.out)
	waitFor(t, "the first children", func() bool {
		records, _ := ledger.Read(dir)
		return len(records) == 1 && len(records[0].Live) >= churning
	})
	for range campaign(150, 2_000) {
		record := recordOf(t, dir, o.id)
		// The row that is being written may be seen in halves.
		if len(record.Live) < churning || len(record.Live) > churning+1 || !record.Locked || len(record.Problems) > 1 {
			t.Fatalf("%d live, locked %v, problems %q", len(record.Live), record.Locked, record.Problems)
		}
	}
}

// lastNumber is the last whole number that the owner said.
func lastNumber(t *testing.T, o *owner) int {
	t.Helper()
	last := 0
	for {
		line, err := o.out.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return last
		}
		if err != nil {
			t.Fatal(err)
		}
		if last, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			t.Fatal(err)
		}
	}
}

// A process that was forked and did not exec keeps its parent's lock. That
// neither makes the dead owner alive nor anybody wait.
func TestInheritedLockDoesNotMakeADeadOwnerAlive(t *testing.T) {
	dir := t.TempDir()
	o := startOwner(t, dir, "leave the lock to a child")
	o.expect(t, "ready")
	o.kill()
	record := recordOf(t, dir, o.id)
	t.Cleanup(func() { killAll(record.Live) })
	if !record.Locked || !record.Dead() || len(record.Live) != 1 {
		t.Fatalf("got %s", asJSON(record))
	}
	if err := ledger.Remove(dir, o.id); err == nil {
		t.Error("removed a file that is locked and has a living child")
	}
	killAll(record.Live)
	waitFor(t, "the lock to fall with its last holder", func() bool { return ledger.Remove(dir, o.id) == nil })
}

// Exec closes the file and lifts the lock; the program that follows is the
// same owner and goes on in the same file.
func TestOwnerGoesOnInItsFileAfterExec(t *testing.T) {
	dir := t.TempDir()
	o := startOwner(t, dir, "replace yourself")
	o.expect(t, "ready")
	record := recordOf(t, dir, o.id)
	live := processes(record.Live)
	if !live[imaginary(1)] || !live[imaginary(2)] || live[imaginary(3)] || len(record.Problems) > 0 || !record.Locked {
		t.Errorf("got %s", asJSON(record))
	}
}

func TestRowThatDoesNotFitTheDiskIsWrittenWithTheNext(t *testing.T) {
	dir := t.TempDir()
	o := startOwner(t, dir, "run out of room")
	o.expect(t, "ready")
	record := recordOf(t, dir, o.id)
	for n := range 4 {
		if !processes(record.Live)[imaginary(n)] {
			t.Errorf("row %d is lost", n)
		}
	}
	if len(record.Problems) > 0 {
		t.Errorf("problems %q", record.Problems)
	}
}

func TestFilesAreTheirOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	for _, umask := range []int{0, 0o777} { // The first makes the directory.
		old := syscall.Umask(umask)
		l, err := ledger.Open(dir, procid.Self())
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]os.FileMode{l.Path(): 0o600, dir: 0o700 | os.ModeDir} {
			if info, err := os.Stat(name); err != nil || info.Mode() != want {
				t.Errorf("umask %o: %s has mode %v, %v, want %v", umask, name, info.Mode(), err, want)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAnotherUsersFileIsNotBelieved(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	dir := t.TempDir()
	o := startOwner(t, dir, "start children", "1")
	o.expect(t, "ready")
	record := recordOf(t, dir, o.id)
	t.Cleanup(func() { killAll(record.Live) })
	if err := os.Chown(record.File, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	record = recordOf(t, dir, o.id)
	if len(record.Live) > 0 || len(record.Problems) != 1 {
		t.Errorf("believed %s", asJSON(record))
	}
	if err := os.Chown(record.File, 0, 0); err != nil {
		t.Fatal(err)
	}
	record = recordOf(t, dir, o.id)
}

func TestRemoveLeavesWhatMayStillMatter(t *testing.T) {
	dir := t.TempDir()
	living := startOwner(t, dir, "wait")
	killed := startOwner(t, dir, "start children", "1")
	killed.expect(t, "ready")
	waitFor(t, "the living owner's file", func() bool {
		records, _ := ledger.Read(dir)
		return len(records) == 2
	})
	killed.kill()
	child := recordOf(t, dir, killed.id).Live
	t.Cleanup(func() { killAll(child) })
	for name, id := range map[string]procid.Identity{"a living owner": living.id, "a dead owner with a living child": killed.id} {
		if err := ledger.Remove(dir, id); err == nil {
			t.Errorf("removed the file of %s", name)
		}
	}
	killAll(child)
	waitFor(t, "the file to be removable", func() bool { return ledger.Remove(dir, killed.id) == nil })
	if records, err := ledger.Read(dir); err != nil || len(records) != 1 || records[0].Owner != living.id {
		t.Errorf("left %s, %v", asJSON(records), err)
	}
}
