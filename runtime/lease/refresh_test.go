package lease

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// plant writes the lease of another process.
func plant(t testing.TB, dir, session string, id procid.Identity) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, fileName(Lease{Session: session, Holder: id})), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A counter answers probes and counts them.
type counter struct {
	batches, probes int
	states          map[procid.Identity]procid.State
}

func (c *counter) probe(ids []procid.Identity) []procid.State {
	c.batches++
	c.probes += len(ids)
	states := make([]procid.State, len(ids))
	for i, id := range ids {
		states[i] = procid.Alive
		if state, ok := c.states[id]; ok {
			states[i] = state
		}
	}
	return states
}

func TestOwnLeasesCostNoProbe(t *testing.T) {
	var c counter
	leases, err := open(t.TempDir(), procid.Self(), c.probe)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if err := leases.Acquire(t.Context(), fmt.Sprint(i), Exclusive); err != nil {
			t.Fatal(err)
		}
	}
	mustRefresh(t, leases)
	if all := leases.All(); len(all) != 8 || all[0].State != procid.Alive {
		t.Errorf("%v", all)
	}
	if c.batches != 0 {
		t.Errorf("%d probes", c.probes)
	}
}

func TestAHolderOfManyLeasesIsProbedOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 8 {
		plant(t, dir, fmt.Sprint(i), procid.Identity{Boot: "b", PID: 42, Start: uint64(1 + i%2)})
	}
	var c counter
	leases, err := open(dir, procid.Self(), c.probe)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(leases.All()); n != 8 || c.batches != 1 || c.probes != 2 {
		t.Errorf("8 leases of 2 processes: %d leases, %d batches, %d probes", n, c.batches, c.probes)
	}
}

func TestAReleasedSessionCanBeAcquiredAgainInEitherMode(t *testing.T) {
	leases := mustOpen(t, t.TempDir())
	for _, mode := range []Mode{Exclusive, Shared, Exclusive} {
		if err := leases.Acquire(t.Context(), "chat", mode); err != nil {
			t.Fatal(err)
		}
		if err := leases.Release(t.Context(), "chat"); err != nil {
			t.Fatal(err)
		}
		if got := leases.All(); len(got) != 0 {
			t.Errorf("released, and held by %v", got)
		}
	}
}

// The number alone would keep a stranger's lease alive for as long as this
// process happens to have its number.
func TestOurNumberWithAnotherStartTimeIsNotUs(t *testing.T) {
	dir := t.TempDir()
	self := procid.Self()
	stranger := self
	stranger.Start--
	dead := []procid.Identity{stranger}
	plant(t, dir, "recycled", stranger)
	if runtime.GOOS != "windows" { // where start times tell boots apart
		earlierBoot := self
		earlierBoot.Boot = strings.Repeat("0", 8) + self.Boot[8:]
		dead = append(dead, earlierBoot)
		plant(t, dir, "rebooted", earlierBoot)
	}
	plant(t, dir, "ours", self)
	c := counter{}
	probed := []procid.Identity{}
	leases, err := open(dir, self, func(ids []procid.Identity) []procid.State {
		probed = append(probed, ids...)
		c.probe(ids)
		return probe(ids)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(probed) != len(dead) || slices.Contains(probed, self) || c.batches != 1 {
		t.Errorf("probed %v in %d batches", probed, c.batches)
	}
	all := leases.All()
	if len(all) != 1 || all[0].Session != "ours" || all[0].State != procid.Alive {
		t.Errorf("%v, want ours alone", all)
	}
	if files, _ := filepath.Glob(dir + "/*"); len(files) != 1 {
		t.Errorf("files of the dead are left: %v", files)
	}
}

func TestOnlyTheProvablyDeadLoseTheirLease(t *testing.T) {
	dir := t.TempDir()
	c := counter{states: make(map[procid.Identity]procid.State)}
	for state := procid.CannotTell; state <= procid.Gone; state++ {
		id := procid.Identity{Boot: "b", PID: 10 + int(state), Start: 1}
		c.states[id] = state
		plant(t, dir, state.String(), id)
	}
	for _, name := range []string{"README", "lease-x", "lease-chat.q.b.1.2", ".lease-chat.s.b.1.2"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leases, err := open(dir, procid.Self(), c.probe)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, l := range leases.All() {
		kept = append(kept, l.Session+"="+l.State.String())
	}
	if want := []string{"alive=alive", "cannot tell=cannot tell"}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
	if err := leases.Acquire(t.Context(), "cannot tell", Exclusive); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "process 10 (cannot tell)") {
		t.Errorf("a session whose holder cannot be looked at: %v", err)
	}
	for _, session := range []string{"zombie", "gone"} {
		if err := leases.Acquire(t.Context(), session, Exclusive); err != nil {
			t.Error(err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 2+4+2 {
		t.Errorf("%d files: %v", len(files), files)
	}
}

func TestAnswersComeFromMemory(t *testing.T) {
	dir := t.TempDir()
	var c counter
	leases, err := open(dir, procid.Self(), c.probe)
	if err != nil {
		t.Fatal(err)
	}
	if err := leases.Acquire(t.Context(), "chat", Shared); err != nil {
		t.Fatal(err)
	}
	plant(t, dir, "chat", procid.Identity{Boot: "b", PID: 42, Start: 1})
	mustRefresh(t, leases)
	leases.disk <- struct{}{} // as while a Refresh hangs
	defer leases.unlockDisk()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	done := make(chan []Lease)
	go func() { done <- leases.Of("chat") }()
	select {
	case got := <-done:
		if !slices.Equal(pids(got), pids([]Lease{{Holder: procid.Self()}, {Holder: procid.Identity{PID: 42}}})) {
			t.Errorf("%v", got)
		}
		got[0].Session = "scribbled over"
		if leases.Of("chat")[0].Session != "chat" {
			t.Error("the caller can change what is kept")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("Of waits for the disk")
	}
}

func TestWaitingForAnotherCallIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := mustOpen(t, t.TempDir())
		leases.disk <- struct{}{} // as while a Refresh hangs
		for name, call := range map[string]func(context.Context) error{
			"Acquire": func(ctx context.Context) error { return leases.Acquire(ctx, "chat", Shared) },
			"Release": func(ctx context.Context) error { return leases.Release(ctx, "chat") },
			"Refresh": leases.Refresh,
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
		}
		leases.unlockDisk()
		if err := leases.Acquire(t.Context(), "chat", Shared); err != nil {
			t.Error(err)
		}
	})
}

func TestAFailedRefreshKeepsWhatIsKnown(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "chat", procid.Identity{Boot: "b", PID: 42, Start: 1})
	var c counter
	leases, err := open(dir, procid.Self(), c.probe)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := leases.Refresh(ended); !errors.Is(err, context.Canceled) || c.batches != 1 {
		t.Errorf("without time: %v after %d probes", err, c.batches)
	}
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir + ".away")
	if err := leases.Refresh(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	if err := leases.Acquire(t.Context(), "other", Shared); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("acquiring without a directory: %v", err)
	}
	if got := pids(leases.All()); !slices.Equal(got, []int{42}) {
		t.Errorf("known now: %v", got)
	}
}

func TestADirectoryThatCannotBeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file was taken for a directory")
	}
	if _, err := open(t.TempDir(), procid.Identity{}, probe); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a process without an identity: %v", err)
	}
}
