package owned_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/internal/pidreuse"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// reusedPerRound is how many numbers of processes and groups are reused at a
// time, and reuseRounds how often: 10,000 numbers in a long run.
const reusedPerRound = 20

func reuseRounds() int {
	if os.Getenv("HOLDFAST_E2E") != "" {
		return 10_000 / reusedPerRound
	}
	return 120 / reusedPerRound
}

// groupLeader is a process that leads a group of its own.
func groupLeader() *exec.Cmd {
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// Bystanders have the numbers of processes and groups that were owned.
type bystanders struct {
	*testing.T
	reused, signalled int
	now               []*exec.Cmd
}

// take gives the numbers to new processes, which lead groups of these numbers.
func (b *bystanders) take(numbers []int) {
	b.Helper()
	pidreuse.NextTick()
	for _, number := range numbers {
		if cmd := pidreuse.StartAs(b.T, number, groupLeader); cmd != nil {
			b.now = append(b.now, cmd)
			b.reused++
		}
	}
}

// leave ends them and counts those that were ended before.
func (b *bystanders) leave() {
	for _, cmd := range b.now {
		if id, err := procid.Of(cmd.Process.Pid); err != nil || id.State() != procid.Alive {
			b.signalled++
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	b.now = nil
}

// report fails if somebody was signalled, or if hardly any number was reused,
// in which case the test has shown nothing.
func (b *bystanders) report(wanted int) {
	b.Helper()
	b.Logf("%d numbers reused, %d bystanders signalled", b.reused, b.signalled)
	if b.signalled > 0 || b.reused < wanted*9/10 {
		b.Errorf("%d of %d numbers reused, %d bystanders signalled", b.reused, wanted, b.signalled)
	}
}

// The owner is stopped, so that it cannot tell the supervisor that its groups
// have ended; then it is killed.
func TestASupervisorSignalsNobodyWithARecycledNumber(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	b := &bystanders{T: t}
	for round := range reuseRounds() {
		tier := []owned.Tier{owned.Portable, owned.Automatic}[round%2]
		o := startOwner(t, script{Tier: tier})
		var victims []*exec.Cmd
		for range reusedPerRound + 1 {
			victims = append(victims, ownedGroup(o))
		}
		supervisor := o.supervisor()
		o.cmd.Process.Signal(syscall.SIGSTOP)
		control := victims[reusedPerRound]
		var numbers []int
		for _, victim := range victims[:reusedPerRound] {
			numbers = append(numbers, victim.Process.Pid)
			victim.Process.Kill()
			victim.Wait()
		}
		b.take(numbers)
		o.kill()
		control.Wait()
		await(t, "the supervisor to end", func() bool { return supervisor.State() != procid.Alive })
		b.leave()
		syscall.Wait4(supervisor.PID, nil, 0, nil) // PID 1 is this test.
	}
	b.report(reuseRounds() * reusedPerRound)
}

// ownedGroup starts a process that is not the owner's and has the owner own it.
func ownedGroup(o *owner) *exec.Cmd {
	o.Helper()
	cmd := groupLeader()
	if err := cmd.Start(); err != nil {
		o.Fatal(err)
	}
	if answer := o.say(fmt.Sprint("own ", cmd.Process.Pid)); answer != "<nil>" {
		o.Fatalf("owning %d: %s", cmd.Process.Pid, answer)
	}
	return cmd
}

func (o *owner) supervisor() procid.Identity {
	o.Helper()
	pid, err := strconv.Atoi(o.say("supervisor"))
	if err != nil {
		o.Fatal(err)
	}
	id, err := procid.Of(pid)
	if err != nil {
		o.Fatal(err)
	}
	return id
}

// Whatever the program still calls for a child that has ended, it is not done
// to somebody else.
func TestAnEndedChildIsNobodyElse(t *testing.T) {
	if !pidreuse.Inside(t) {
		return
	}
	b := &bystanders{T: t}
	for round := range reuseRounds() {
		tier := []owned.Tier{owned.Portable, owned.Automatic}[round%2]
		o := owned.New(owned.AtMost(tier), owned.LedgerDir(t.TempDir()))
		var children []*owned.Child
		var groups, numbers []int
		for i := range reusedPerRound {
			if i%2 == 0 {
				adopted := endedGroup(t, o)
				groups, numbers = append(groups, adopted), append(numbers, adopted)
				continue
			}
			child := endedChild(t, o)
			children, numbers = append(children, child), append(numbers, child.PID())
			if child.Group() != child.PID() {
				numbers = append(numbers, child.Group())
			}
		}
		b.take(numbers)
		for _, child := range children {
			if err := child.Signal(syscall.SIGKILL); err == nil {
				t.Errorf("signalled group %d, which is another's", child.Group())
			}
			if err := child.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		}
		o.ReleaseOnceEmpty(groups[0])
		o.Release(groups[1])
		if err := o.Close(context.Background()); err != nil {
			t.Error(err)
		}
		b.leave()
	}
	b.report(reuseRounds() * reusedPerRound)
}

// endedChild starts a child and waits for its end.
func endedChild(t *testing.T, o *owned.Owner) *owned.Child {
	t.Helper()
	child, err := o.Start(exec.Command("sleep", "600"))
	if err != nil {
		t.Fatal(err)
	}
	syscall.Kill(child.PID(), syscall.SIGKILL)
	child.Wait()
	return child
}

// endedGroup has a group owned that then ends.
func endedGroup(t *testing.T, o *owned.Owner) int {
	t.Helper()
	cmd := groupLeader()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := o.Own(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	return cmd.Process.Pid
}
