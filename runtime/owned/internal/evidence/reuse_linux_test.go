package evidence

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/pidreuse"
	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// A round is some processes that ended, with one bystander for each that has
// its number and its group's number now.
type round struct {
	ended      []procid.Identity
	bystanders []*exec.Cmd
}

// perRound is how many numbers are reused at a time.
const perRound = 25

// rounds is how often: 10,000 numbers in a long run.
func rounds() int {
	if os.Getenv("HOLDFAST_E2E") != "" {
		return 10_000 / perRound
	}
	return 300 / perRound
}

// leader is a process that leads a group of its own.
func leader() *exec.Cmd {
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

func newRound(t *testing.T) round {
	t.Helper()
	var victims []*exec.Cmd
	var all []procid.Identity
	for range perRound {
		victim := leader()
		all = append(all, start(t, victim))
		victims = append(victims, victim)
	}
	for _, victim := range victims {
		victim.Process.Kill()
		victim.Wait()
	}
	pidreuse.NextTick()
	var r round
	for _, id := range all {
		bystander := pidreuse.StartAs(t, id.PID, leader)
		if bystander == nil {
			continue
		}
		r.ended = append(r.ended, id)
		r.bystanders = append(r.bystanders, bystander)
	}
	return r
}

// end ends the bystanders and reports how many had been ended before.
func (r round) end() (signalled int) {
	for _, bystander := range r.bystanders {
		if id, err := procid.Of(bystander.Process.Pid); err != nil || id.State() != procid.Alive {
			signalled++
		}
		bystander.Process.Kill()
		bystander.Wait()
	}
	return signalled
}

func TestNobodyWithARecycledNumberIsSignalled(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	reused, signalled := 0, 0
	for range rounds() {
		r := newRound(t)
		for _, id := range r.ended {
			if state := id.State(); state != procid.Gone {
				t.Errorf("%v is %v, but its number is another's", id, state)
			}
			if err := Signal(id, syscall.SIGKILL); !errors.Is(err, os.ErrProcessDone) {
				t.Errorf("signalling %v: %v", id, err)
			}
		}
		if err := End(context.Background(), r.ended, time.Minute); err != nil {
			t.Error(err)
		}
		reused += len(r.ended)
		signalled += r.end()
	}
	report(t, reused, signalled)
}

func TestNobodyWithARecycledNumberIsAnOrphan(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	reused, signalled := 0, 0
	for range rounds() {
		r := newRound(t)
		orphan := leader()
		left := start(t, orphan)
		record := ledger.OwnerRecord{Owner: procid.Identity{Boot: left.Boot, PID: 1 << 30, Start: 1}, Alive: procid.Gone}
		for _, id := range append(r.ended, left) {
			record.Live = append(record.Live, ledger.Entry{Event: ledger.EventStart, Process: id, Group: id.PID, Session: id.PID})
		}
		processes, err := Look(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var proven []procid.Identity
		for _, f := range Verdicts(processes, []ledger.OwnerRecord{record}, os.Getpid()) {
			if f.Proven() {
				proven = append(proven, f.Process.Identity)
			}
		}
		if len(proven) != 1 || proven[0] != left {
			t.Errorf("proven to be left: %v, want %v alone", proven, left)
		}
		if err := End(context.Background(), proven, time.Minute); err != nil {
			t.Error(err)
		}
		orphan.Wait()
		reused += len(r.ended)
		signalled += r.end()
	}
	report(t, reused, signalled)
}

// report fails if somebody was signalled, or if hardly any number was reused,
// in which case the test has shown nothing.
func report(t *testing.T, reused, signalled int) {
	t.Helper()
	t.Logf("%d numbers reused, %d bystanders signalled", reused, signalled)
	if signalled > 0 || reused < rounds()*perRound*9/10 {
		t.Errorf("%d of %d numbers reused, %d bystanders signalled", reused, rounds()*perRound, signalled)
	}
}
