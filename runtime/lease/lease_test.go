package lease

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

func mustOpen(t *testing.T, dir string) *Directory {
	t.Helper()
	leases, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return leases
}

func mustRefresh(t *testing.T, leases *Directory) {
	t.Helper()
	if err := leases.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func pids(leases []Lease) []int {
	pids := []int{}
	for _, l := range leases {
		pids = append(pids, l.Holder.PID)
	}
	slices.Sort(pids)
	return pids
}

func TestASessionHasOneExclusiveHolderAndAfterItsDeathAnother(t *testing.T) {
	dir := t.TempDir()
	first, second := startProcess(t, dir), startProcess(t, dir)
	leases := mustOpen(t, dir)
	if answer := first.ask("x chat"); answer != "ok" {
		t.Fatal(answer)
	}
	want := fmt.Sprintf(`session "chat" is held by process %d (alive)`, first.pid())
	for _, request := range []string{"x chat", "s chat"} {
		if answer := second.ask(request); !strings.Contains(answer, want) {
			t.Errorf("%s: %q, want %q", request, answer, want)
		}
	}
	if answer := second.ask("x other"); answer != "ok" {
		t.Errorf("another session: %s", answer)
	}
	mustRefresh(t, leases)
	if got := pids(leases.Of("chat")); !slices.Equal(got, []int{first.pid()}) {
		t.Errorf("chat is held by %v", got)
	}

	first.kill()
	if answer := second.ask("x chat"); answer != "ok" {
		t.Errorf("after the holder's death: %s", answer)
	}
	mustRefresh(t, leases)
	if got := pids(leases.All()); !slices.Equal(got, []int{second.pid(), second.pid()}) {
		t.Errorf("after the first one's death all is held by %v", got)
	}
	if files, _ := filepath.Glob(dir + "/*"); len(files) != 2 {
		t.Errorf("the dead lease was left: %v", files)
	}
}

func TestSharedLeasesGoTogetherAndKeepAnExclusiveOneOut(t *testing.T) {
	dir := t.TempDir()
	first, second, third := startProcess(t, dir), startProcess(t, dir), startProcess(t, dir)
	for _, p := range []*process{first, second} {
		if answer := p.ask("s chat"); answer != "ok" {
			t.Error(answer)
		}
	}
	if answer := third.ask("x chat"); !strings.Contains(answer, "is held by") {
		t.Errorf("an exclusive lease beside shared ones: %s", answer)
	}
	for _, p := range []*process{first, second} {
		if answer := p.ask("release chat"); answer != "ok" {
			t.Error(answer)
		}
	}
	if answer := third.ask("x chat"); answer != "ok" {
		t.Errorf("after both were released: %s", answer)
	}
}

// A process that is refused and one that holds nothing leave nothing behind.
func TestARefusalLeavesNoLease(t *testing.T) {
	dir := t.TempDir()
	holder := startProcess(t, dir)
	holder.ask("x chat")
	leases := mustOpen(t, dir)
	if err := leases.Acquire(t.Context(), "chat", Exclusive); !errors.Is(err, ErrHeld) {
		t.Fatal(err)
	}
	var held *HeldError
	if err := leases.Acquire(t.Context(), "chat", Shared); !errors.As(err, &held) || held.Session != "chat" || len(held.Holders) != 1 {
		t.Errorf("%v: %+v", err, held)
	}
	if err := leases.Release(t.Context(), "chat"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("releasing what was refused: %v", err)
	}
	mustRefresh(t, leases)
	if got := pids(leases.Of("chat")); !slices.Equal(got, []int{holder.pid()}) {
		t.Errorf("chat is held by %v, want %d alone", got, holder.pid())
	}
}

func TestRacingProcessesNeverHoldOneSessionTogether(t *testing.T) {
	rounds := 30
	if os.Getenv("HOLDFAST_E2E") == "1" {
		rounds = 2000
	}
	dir := t.TempDir()
	racers := make([]*process, 4)
	for i := range racers {
		racers[i] = startProcess(t, dir)
	}
	won := 0
	for round := range rounds {
		answers := make([]string, len(racers))
		var group sync.WaitGroup
		for i, racer := range racers {
			group.Go(func() { answers[i] = racer.ask(fmt.Sprintf("x session-%d", round)) })
		}
		group.Wait()
		winners := 0
		for _, answer := range answers {
			if answer == "ok" {
				winners++
			} else if !strings.Contains(answer, "is held by") {
				t.Fatal(answer)
			}
		}
		if winners > 1 {
			t.Fatalf("round %d has %d winners: %q", round, winners, answers)
		}
		won += winners
	}
	t.Logf("%d of %d rounds had a winner", won, rounds)
}

func TestASecondLeaseOfThisProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	leases := mustOpen(t, dir)
	if err := leases.Acquire(t.Context(), "chat", Shared); err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Directory{"the same directory": leases, "another one, as after an exec": mustOpen(t, dir)} {
		for _, mode := range []Mode{Shared, Exclusive} {
			var held *HeldError
			if err := d.Acquire(t.Context(), "chat", mode); !errors.As(err, &held) || held.Holders[0].Holder != procid.Self() {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := pids(d.Of("chat")); !slices.Equal(got, []int{os.Getpid()}) {
			t.Errorf("%s: held by %v", name, got)
		}
	}
	after := mustOpen(t, dir)
	if err := after.Release(t.Context(), "chat"); err != nil {
		t.Errorf("releasing a lease from before an exec: %v", err)
	}
	if got := after.Of("chat"); len(got) != 0 {
		t.Errorf("released, and held by %v", got)
	}
}
