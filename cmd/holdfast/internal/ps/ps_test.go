package ps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// TestMain makes the test program sleep where a child is wanted.
func TestMain(m *testing.M) {
	if os.Getenv("PS_TEST_ROLE") == "child" {
		time.Sleep(10 * time.Minute)
	}
	os.Exit(m.Run())
}

func TestTreeOfOwnersAndChildren(t *testing.T) {
	dir := t.TempDir()
	child := startChild(t)
	note(t, dir, procid.Self(),
		ledger.Entry{Event: ledger.EventStart, Process: child, Name: "gopls", Family: "language server", Command: []string{"gopls", "-mode=stdio"}},
		ledger.Entry{Event: ledger.EventKeep, Process: child, Reason: "loads for\x1b[2J a minute", Log: "/var/log/model", Command: []string{"llama-server"}},
		ledger.Entry{Event: ledger.EventStart, Process: gone(7), Command: []string{"long-gone"}},
		ledger.Entry{Event: ledger.EventOwn, Group: 77, Name: "somebody's group"},
	)
	// The child is an owner itself; the dead owner has nothing left.
	note(t, dir, child, ledger.Entry{Event: ledger.EventStart, Process: procid.Self(), Name: "a circle"})
	note(t, dir, gone(9), ledger.Entry{Event: ledger.EventStart, Process: gone(8), Command: []string{"also-gone"}})
	damage(t, dir, gone(9))
	note(t, dir, gone(10), ledger.Entry{Event: ledger.EventStart, Process: gone(11)})

	code, out, _ := run("-ledger", dir)
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	self := strconv.Itoa(os.Getpid())
	for _, want := range []string{
		self + "  alive  ", "─ " + strconv.Itoa(child.PID) + "  alive  kept", "reason: loads for�[2J a minute", "log: /var/log/model",
		"group 77  somebody's group", "a circle", strconv.Itoa(gone(9).PID) + "  gone  ", "line 3: no row of a ledger",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	nothingLeft := strconv.Itoa(gone(10).PID)
	for _, unwanted := range []string{"long-gone", "also-gone", "\x1b", nothingLeft} {
		if strings.Contains(out, unwanted) {
			t.Errorf("%q in\n%s", unwanted, out)
		}
	}
	if _, out, _ := run("-ledger", dir, "-all"); !strings.Contains(out, "long-gone") || !strings.Contains(out, "also-gone") || !strings.Contains(out, nothingLeft) {
		t.Errorf("-all:\n%s", out)
	}
}

func TestAnOwnerThatIsAChildIsShownBelowItsOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	inner := startChild(t)
	note(t, dir, procid.Self(), ledger.Entry{Event: ledger.EventStart, Process: inner, Command: []string{"inner-agent"}})
	note(t, dir, inner, ledger.Entry{Event: ledger.EventStart, Process: startChild(t), Command: []string{"grandchild"}})
	_, out, _ := run("-ledger", dir)
	if strings.Count(out, fmt.Sprintf(" %d  alive", inner.PID)) != 1 || strings.HasPrefix(out, fmt.Sprint(inner.PID)) || !strings.Contains(out, "   └─ ") || strings.Count(out, "grandchild") != 1 {
		t.Errorf("got\n%s", out)
	}
}

func TestJSON(t *testing.T) {
	dir := t.TempDir()
	child := startChild(t)
	note(t, dir, procid.Self(), ledger.Entry{Event: ledger.EventKeep, Process: child, Group: 5, Reason: "it serves others", Log: "/l"})
	code, out, _ := run("-ledger", dir, "-json")
	var got struct{ Owners []Owner }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s", code, err, out)
	}
	if len(got.Owners) != 1 || len(got.Owners[0].Children) != 1 {
		t.Fatalf("got %s", out)
	}
	o, c := got.Owners[0], got.Owners[0].Children[0]
	if o.Process != procid.Self() || o.State != procid.Alive || o.Command[0] != os.Args[0] {
		t.Errorf("owner %+v", o)
	}
	if c.Process != child || c.State != procid.Alive || !c.Kept || c.Reason != "it serves others" || c.Log != "/l" || c.Group != 5 {
		t.Errorf("child %+v", c)
	}
	if _, out, _ := run("-ledger", t.TempDir(), "-json"); strings.TrimSpace(out) != "{\n  \"owners\": []\n}" {
		t.Errorf("an empty ledger gives %s", out)
	}
}

func TestUsage(t *testing.T) {
	if code, out, _ := run("-help"); code != 0 || !strings.Contains(out, "usage: holdfast ps") {
		t.Errorf("-help: %d %s", code, out)
	}
	for _, args := range [][]string{{"x"}, {"-nope"}, {"-ledger", os.Args[0]}} {
		if code, _, stderr := run(args...); code != exitTrouble || !strings.HasPrefix(stderr, "holdfast: ps: ") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
}

func run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// note writes the ledger of an owner.
func note(t *testing.T, dir string, owner procid.Identity, entries ...ledger.Entry) {
	t.Helper()
	l, err := ledger.Open(dir, owner)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, e := range entries {
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}

func damage(t *testing.T, dir string, owner procid.Identity) {
	t.Helper()
	path := filepath.Join(dir, strings.ReplaceAll(owner.String(), ":", ".")+".jsonl")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("rubbish\n"); err != nil {
		t.Fatal(err)
	}
}

// gone is a process that there is not.
func gone(n int) procid.Identity {
	return procid.Identity{Boot: procid.Self().Boot, PID: 1<<30 + n, Start: 1}
}

func startChild(t *testing.T) procid.Identity {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PS_TEST_ROLE=child")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	id, err := procid.Of(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
