package campaign

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/pidreuse"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// startCallers starts an owner of n children, which answer the roll.
func startCallers(t *testing.T, o order, n int, script string) (*owner, []procid.Identity) {
	t.Helper()
	roll := filepath.Join(t.TempDir(), "roll")
	for range n {
		o.Commands = append(o.Commands, command{Args: []string{"sh", "-c", `echo $$ >>"$ROLL"; ` + script}, Env: []string{"ROLL=" + roll}})
	}
	w := startOwner(t, o)
	var children []procid.Identity
	t.Cleanup(func() { end(children) })
	await(t, "the children", func() bool {
		children = called(t, roll)
		return len(children) == n
	})
	return w, children
}

// The kernel takes its time with a large owner: its end of the pipe is closed
// only when its memory is gone.
func TestChildrenOfALargeOwnerDie(t *testing.T) {
	t.Parallel()
	megabytes := 64
	if endToEnd {
		megabytes = 1024
	}
	for _, tier := range workingTiers(t) {
		t.Run(tier.String(), func(t *testing.T) {
			_, controls := startCallers(t, order{Tier: tier}, 2, "exec sleep 1000")
			w, children := startCallers(t, order{Tier: tier, Threads: 20, Megabytes: megabytes}, 5, "trap '' TERM; exec sleep 1000")
			w.kill()
			w.awaitSupervisor()
			if left := living(children); len(left) > 0 {
				t.Errorf("%d of %d children are alive", len(left), len(children))
			}
			if alive := len(living(controls)); alive != len(controls) {
				t.Errorf("of the living owner's %d children %d are alive", len(controls), alive)
			}
		})
	}
}

// In a container whose first process does not wait for strangers, as many do
// not, a child that has ended stays a zombie. It must not be waited for: the
// grace is an hour.
func TestAnInitThatDoesNotReapHoldsNobodyUp(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	for _, tier := range workingTiers(t) {
		t.Run(tier.String(), func(t *testing.T) {
			_, controls := startCallers(t, order{Tier: tier, Grace: time.Hour}, 2, "exec sleep 1000")
			w, children := startCallers(t, order{Tier: tier, Grace: time.Hour}, 5, "exec sleep 1000")
			w.kill()
			w.awaitSupervisor()
			for _, id := range children {
				if state := id.State(); state != procid.Zombie {
					t.Errorf("a child is %v, and should be a zombie that nobody has waited for", state)
				}
			}
			if alive := len(living(controls)); alive != len(controls) {
				t.Errorf("of the living owner's %d children %d are alive", len(controls), alive)
			}
		})
	}
}

// What dies together cannot clean up after each other. What is left then is
// found by the ledger, in every tier, and nothing of anybody else's.
func TestWhatIsLeftOfOwnerAndSupervisorIsFound(t *testing.T) {
	t.Parallel()
	rows := available(t, families)
	for _, tier := range workingTiers(t) {
		t.Run(tier.String(), func(t *testing.T) {
			dir := t.TempDir()
			v := variant{tier.String(), order{Tier: tier, Ledger: dir}, 1}
			killed, control := startTrial(t, v, rows), startTrial(t, v, rows)
			killed.muster(rows)
			control.muster(rows)
			killed.dieWithSupervisor()
			if len(living(killed.everybody())) < len(rows) {
				t.Fatal("somebody else ended the children")
			}
			orphans, err := owned.Orphans(context.Background(), dir)
			if err != nil {
				t.Fatal(err)
			}
			controls := map[procid.Identity]bool{control.supervisor: true}
			for _, id := range control.everybody() {
				controls[id] = true
			}
			for _, orphan := range orphans {
				if controls[orphan.Process.Identity] {
					t.Errorf("a child of the living owner is called an orphan: %+v", orphan)
				}
			}
			if err := owned.EndOrphans(context.Background(), orphans, time.Second); err != nil {
				t.Error(err)
			}
			for _, id := range living(killed.everybody()) {
				t.Errorf("not found: %s", name(id))
			}
			control.mustLive(rows)
		})
	}
}

// dieWithSupervisor kills the owner and its supervisor so that neither can do
// anything about it.
func (w *owner) dieWithSupervisor() {
	w.process.Signal(syscall.SIGSTOP)
	syscall.Kill(w.supervisor.PID, syscall.SIGKILL)
	w.kill()
	w.awaitSupervisor()
}
