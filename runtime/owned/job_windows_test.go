package owned_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

const roleVariable = "TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "owner": // prints the PIDs of its child and grandchild, and waits
		os.Setenv(roleVariable, "child")
		cmd := exec.Command(os.Args[0])
		out, err := cmd.StdoutPipe()
		if err != nil {
			panic(err)
		}
		c, err := owned.Start(cmd)
		if err != nil {
			panic(err)
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		fmt.Println(c.PID(), strings.TrimSpace(line))
		time.Sleep(time.Hour)
	case "child": // starts a grandchild by os/exec and prints its PID
		os.Setenv(roleVariable, "grandchild")
		cmd := exec.Command(os.Args[0])
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
		time.Sleep(time.Hour)
	case "grandchild":
		time.Sleep(time.Hour)
	default:
		dir, err := os.MkdirTemp("", "ledger-")
		if err != nil {
			panic(err)
		}
		os.Setenv("HOLDFAST_LEDGER_DIR", dir)
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
}

func startOwner(t *testing.T) (*exec.Cmd, []procid.Identity) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=owner")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var family []procid.Identity
	for _, word := range strings.Fields(line) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatalf("the owner says %q", line)
		}
		id, err := procid.Of(pid)
		if err != nil {
			t.Fatal(err)
		}
		family = append(family, id)
	}
	if len(family) != 2 {
		t.Fatalf("the owner says %q", line)
	}
	return cmd, family
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func dead(ids []procid.Identity) bool {
	for _, id := range ids {
		if id.State() == procid.Alive {
			return false
		}
	}
	return true
}

func TestTheJobEndsWithItsOwner(t *testing.T) {
	control, controls := startOwner(t)
	cmd, family := startOwner(t)
	cmd.Process.Kill()
	await(t, "the end of child and grandchild", func() bool { return dead(family) })
	for _, id := range controls {
		if id.State() != procid.Alive {
			t.Error("a process of a living owner is dead")
		}
	}
	control.Process.Kill()
	await(t, "the end of the control's", func() bool { return dead(controls) })
}

func TestStopEndsTheJobOfTheChildOnly(t *testing.T) {
	o := owned.New(owned.OwnerGrace(100 * time.Millisecond))
	start := func() *owned.Child {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleVariable+"=grandchild")
		c, err := o.Start(cmd)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c, another := start(), start()
	if err := c.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c.Identity().State() == procid.Alive || another.Identity().State() != procid.Alive {
		t.Errorf("the child is %v, another %v", c.Identity().State(), another.Identity().State())
	}
	await(t, "the end to be noted", func() bool { return errors.Is(c.Signal(os.Kill), os.ErrProcessDone) })
	if err := o.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	await(t, "the end of the other one", func() bool { return another.Identity().State() != procid.Alive })
	if report := o.Containment(); report.Trouble == nil {
		t.Errorf("a closed owner says %+v", report)
	}
}
