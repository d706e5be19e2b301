package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestSweepEndsWhatAKilledOwnerLeftAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	killed, living := startFamily(t, dir), startFamily(t, dir)
	stranger, recycled := startStranger(t), startStranger(t)
	noteRecycled(t, dir, recycled)
	if code, out := sweep(t, dir, ""); code != exitNothing || mentions(out, killed.Child) {
		t.Fatalf("while both owners live: exit code %d\n%s", code, out)
	}
	killed.killWithSupervisor(t)
	everybody := []procid.Identity{
		living.Owner, living.Supervisor, living.Child, living.Daemon, living.Wiped, living.Kept, killed.Kept,
		stranger, recycled, killed.Child, killed.Daemon, killed.Wiped,
	}

	for name, try := range map[string]struct {
		args  []string
		stdin string
	}{
		"dry run":   {nil, "yes\n"},
		"no":        {[]string{"-kill"}, "n\n"},
		"no answer": {[]string{"-kill"}, ""},
		"JSON":      {[]string{"-json"}, ""},
	} {
		code, out := sweep(t, dir, try.stdin, try.args...)
		if code != exitLeft || !mentions(out, killed.Child) || !mentions(out, killed.Daemon) || !mentions(out, killed.Wiped) {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
		for _, id := range everybody[:8] {
			if mentions(out, id) {
				t.Errorf("%s: it names %v, which is nobody's orphan\n%s", name, id, out)
			}
		}
		for _, id := range everybody {
			if ended(id) {
				t.Fatalf("%s: it ended %v", name, id)
			}
		}
	}

	code, out := sweep(t, dir, "", "-kill", "-yes", "-grace", "10s")
	if code != exitNothing {
		t.Errorf("-kill -yes: exit code %d\n%s", code, out)
	}
	for _, id := range everybody {
		shouldEnd := id == killed.Child || id == killed.Daemon || id == killed.Wiped
		if ended(id) != shouldEnd {
			t.Errorf("-kill -yes: %v ended: %v\n%s", id, !shouldEnd, out)
		}
	}
	if code, out := sweep(t, dir, ""); code != exitNothing {
		t.Errorf("again: exit code %d\n%s", code, out)
	}
}

func TestSweepForgetsOwnersOfWhichNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	killed := startFamily(t, dir)
	killed.killWithSupervisor(t)
	if code, out := sweep(t, dir, "yes\n", "-kill"); code != exitNothing {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if files(t, dir) != 1 {
		t.Error("the file that knows of the kept child is gone")
	}
	kill(killed.Kept)
	// A group is there as long as its last zombie is not reaped.
	for _, id := range []procid.Identity{killed.Child, killed.Daemon, killed.Wiped, killed.Kept} {
		waitFor(t, "the group to be empty", func() bool { return errors.Is(syscall.Kill(-id.PID, 0), syscall.ESRCH) })
	}
	sweep(t, dir, "")
	if files(t, dir) != 1 {
		t.Error("a dry run removed a file")
	}
	if sweep(t, dir, "", "-kill"); files(t, dir) != 0 {
		t.Error("the file of an owner of which nothing is left is still there")
	}
}

// The only one who knows of it is the file: it carries the owner's mark.
func TestAnOwnerIsRememberedAsLongAsItsMarkIsThere(t *testing.T) {
	const cookie = "dddddddddddddddddddddddddddddddd"
	dir := t.TempDir()
	t.Setenv("MARK", cookie)
	marked := startStranger(t)
	dead := procid.Identity{Boot: marked.Boot, PID: 1 << 30, Start: 1}
	note(t, dir, dead, ledger.Entry{Event: ledger.EventMark, Cookie: cookie}, ledger.Entry{Event: ledger.EventStart, Process: dead})
	if n, err := owned.ForgetFinished(context.Background(), dir); n != 0 || err != nil || files(t, dir) != 1 {
		t.Errorf("forgot %d, %v", n, err)
	}
	kill(marked)
	waitFor(t, "the marked process to end", func() bool { return ended(marked) })
	if n, err := owned.ForgetFinished(context.Background(), dir); n != 1 || err != nil || files(t, dir) != 0 {
		t.Errorf("forgot %d, %v", n, err)
	}
}

func TestSweepEndsTheStubbornAndTheStopped(t *testing.T) {
	dir := t.TempDir()
	killed := startFamily(t, dir)
	killed.killWithSupervisor(t)
	syscall.Kill(killed.Child.PID, syscall.SIGSTOP)
	if code, out := sweep(t, dir, "", "-kill", "-yes", "-grace", "0s"); code != exitNothing || !ended(killed.Child) {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestCtrlCCutsTheGraceShort(t *testing.T) {
	dir := t.TempDir()
	killed := startFamily(t, dir)
	killed.killWithSupervisor(t)
	syscall.Kill(killed.Child.PID, syscall.SIGSTOP) // With SIGCONT it ends, late or early.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	orphans, err := owned.Orphans(context.Background(), dir)
	if err != nil || len(orphans) != 3 {
		t.Fatalf("got %+v, %v", orphans, err)
	}
	if err := owned.EndOrphans(ctx, orphans, time.Hour); err != nil || !ended(killed.Child) {
		t.Errorf("%v; ended: %v", err, ended(killed.Child))
	}
}

func TestEndOrphansRefusesWhatIsNotProven(t *testing.T) {
	dir := t.TempDir()
	recycled := startStranger(t)
	noteRecycled(t, dir, recycled)
	orphans, err := owned.Orphans(context.Background(), dir)
	if err != nil || len(orphans) != 1 || orphans[0].Process.Identity != recycled || orphans[0].Proven() {
		t.Fatalf("got %+v, %v", orphans, err)
	}
	if err := owned.EndOrphans(context.Background(), orphans, 0); err == nil || ended(recycled) {
		t.Errorf("ended: %v, %v", ended(recycled), err)
	}
}

func TestSweepSaysWhatItCouldNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b.1.1.jsonl"), []byte("rubbish\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := sweep(t, dir, ""); code != exitNothing || !strings.Contains(out, "b.1.1.jsonl: line 1") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if code, out := sweep(t, os.Args[0], ""); code != exitTrouble {
		t.Errorf("a file as the ledger: exit code %d\n%s", code, out)
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
	}{{"-help", exitNothing}, {"x", exitTrouble}, {"-yes", exitTrouble}, {"-kill -grace -1s", exitTrouble}, {"-nope", exitTrouble}} {
		code, out := sweep(t, t.TempDir(), "", strings.Fields(test.args)...)
		if code != test.code || !strings.Contains(out, "usage: holdfast sweep") {
			t.Errorf("%s: exit code %d\n%s", test.args, code, out)
		}
	}
}

// sweep runs the command and returns its exit code and all that it printed.
func sweep(t *testing.T, dir, stdin string, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := Run(context.Background(), append([]string{"-ledger", dir}, args...), strings.NewReader(stdin), &out, &out)
	return code, out.String()
}

// mentions reports whether the output has the PID as a word.
func mentions(out string, id procid.Identity) bool {
	return strings.Contains(out, fmt.Sprintf("  %d  ", id.PID)) || strings.Contains(out, fmt.Sprintf(`"pid": %d,`, id.PID))
}
