//go:build unix

package owned

import (
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func newOwner(t *testing.T, options ...OwnerOption) *Owner {
	t.Helper()
	o := New(append([]OwnerOption{LedgerDir(noLedger), OwnerGrace(300 * time.Millisecond)}, options...)...)
	t.Cleanup(func() {
		if err := o.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return o
}

// A group is known by a member with a start time. When that one ends and
// others remain, one of them has to take its place, or the group could not be
// told from one that got its number later.
func TestAGroupIsProvenByAnotherWhenTheFirstIsGone(t *testing.T) {
	for _, tier := range []Tier{Portable, Marks} {
		t.Run(tier.String(), func(t *testing.T) {
			o := newOwner(t, AtMost(tier))
			c, err := o.Start(exec.Command("sh", "-c", "sleep 1000 &"))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Wait(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "another member", func() bool {
				c.hold.mu.Lock()
				defer c.hold.mu.Unlock()
				return c.hold.member.PID != c.PID()
			})
			for _, group := range o.platform.client.Groups() {
				if group.ID == c.Group() && group.Member == c.PID() {
					t.Error("the supervisor knows the dead one")
				}
			}
		})
	}
}

func TestAnEmptyGroupIsLetGo(t *testing.T) {
	for _, tier := range []Tier{Portable, Marks} {
		t.Run(tier.String(), func(t *testing.T) {
			o := newOwner(t, AtMost(tier))
			c, err := o.Start(exec.Command("true"))
			if err != nil {
				t.Fatal(err)
			}
			c.Wait()
			eventually(t, "the end", func() bool {
				select {
				case <-c.Done():
					return true
				default:
					return false
				}
			})
			for _, group := range o.platform.client.Groups() {
				if group.ID == c.Group() {
					t.Error("the supervisor still owns its group")
				}
			}
			if o.find(c.Group()) != nil {
				t.Error("the owner still knows it")
			}
		})
	}
}

func TestOneSpareIsKeptWarm(t *testing.T) {
	o := newOwner(t, AtMost(Portable))
	for range 3 {
		c, err := o.Start(exec.Command("sleep", "1000"))
		if err != nil {
			t.Fatal(err)
		}
		if c.Group() == c.PID() {
			t.Errorf("child %d leads its group, so that it was not registered before", c.PID())
		}
	}
	warm := func() bool {
		o.platform.spares.mu.Lock()
		defer o.platform.spares.mu.Unlock()
		return o.platform.spares.warm != nil
	}
	eventually(t, "a spare", warm)
	if groups := len(o.platform.client.Groups()); groups != 4 {
		t.Errorf("%d groups are registered, not three and a spare", groups)
	}
	o.platform.spares.drop()
	if groups := len(o.platform.client.Groups()); groups != 3 {
		t.Errorf("%d groups are registered after the spare has expired", groups)
	}
}

func TestAFailedStartLeavesNothing(t *testing.T) {
	for _, tier := range []Tier{Portable, Marks, Cgroup} {
		t.Run(tier.String(), func(t *testing.T) {
			o := newOwner(t, AtMost(tier))
			cmd := exec.Command("/no/such/program")
			if _, err := o.Start(cmd); err == nil {
				t.Fatal("it started")
			}
			if cmd.Env != nil || cmd.SysProcAttr != nil || cmd.WaitDelay != 0 {
				t.Error("the command was changed")
			}
			if n := len(o.children); n != 0 {
				t.Errorf("%d children", n)
			}
			for _, group := range o.platform.client.Groups() {
				if o.platform.spares.warm == nil || group.ID != o.platform.spares.warm.group {
					t.Errorf("group %d is owned", group.ID)
				}
			}
		})
	}
}

// Between the start of a child and its registration, the placeholder proves the
// group that it joined. The owner may be killed in between, which the
// placeholder and the supervisor notice at the same time.
func TestAGroupIsProvenByItsPlaceholderWhenTheOwnerDies(t *testing.T) {
	o := New(AtMost(Portable), LedgerDir(noLedger), OwnerGrace(300*time.Millisecond))
	first, err := o.Start(exec.Command("sleep", "600"))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Wait()
	control := newOwner(t, AtMost(Portable))
	bystander, err := control.Start(exec.Command("sleep", "600"))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := o.platform.spares.take()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: joined.group}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	go joined.cmd.Wait() // As a quick PID 1 does.

	joined.stdin.Close()
	o.platform.client.DieAsOwner()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the child that had joined is alive")
		cmd.Process.Kill()
	}
	if bystander.Identity().State() != procid.Alive {
		t.Error("another owner's child was ended")
	}
}
