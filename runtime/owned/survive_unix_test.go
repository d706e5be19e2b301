//go:build unix

package owned_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

func TestKeepNeedsAReasonAndStreamsThatLast(t *testing.T) {
	o := newOwner(t)
	for _, reason := range []string{"", "ok", "needed later"} {
		if _, err := o.Keep(exec.Command("true"), reason); err == nil {
			t.Errorf("reason %q was taken", reason)
		}
	}
	piped := exec.Command("true")
	piped.Stdout = &strings.Builder{}
	if _, err := o.Keep(piped, "a reason that is one"); err == nil {
		t.Error("a pipe to this process was taken as output")
	}
	without := newOwner(t, owned.LedgerDir("off"))
	cmd := exec.Command("true")
	if _, err := without.Keep(cmd, "a reason that is one"); err == nil || cmd.Process != nil {
		t.Errorf("kept without a ledger: %v", err)
	}
}

func TestAKeptChildOutlivesItsOwnerAndIsRecovered(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOLDFAST_LEDGER_DIR", dir)
	first := startOwner(t, script{Children: []string{call}, Keep: `echo $$ > "$ROLL.kept"; echo hello; exec sleep 1000`})
	children := first.present(1)
	kept := keptBy(t, first)
	first.kill()
	awaitDeath(t, children)
	if kept.State() != procid.Alive {
		t.Fatal("the kept child died with its owner")
	}

	second := startOwner(t, script{})
	fields := strings.Split(second.say("recover"), "|")
	if len(fields) != 4 || fields[0] != "<nil>" || fields[1] != strconv.Itoa(kept.PID) || fields[2] != "the test wants it to live" {
		t.Fatalf("recovered %q", fields)
	}
	await(t, "the log", func() bool {
		text, _ := os.ReadFile(fields[3])
		return string(text) == "hello\n"
	})
	if info, err := os.Stat(fields[3]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log: %v, %v", info.Mode(), err)
	}

	second.kill()
	syscall.Kill(kept.PID, syscall.SIGKILL)
	await(t, "the end of the kept child", func() bool { return kept.State() != procid.Alive })
	third := startOwner(t, script{})
	if answer := third.say("recover"); answer != "<nil>" {
		t.Errorf("recovered %q, which is dead", answer)
	}
}

func keptBy(t *testing.T, o *owner) procid.Identity {
	t.Helper()
	var kept procid.Identity
	await(t, "the kept child", func() bool {
		text, _ := os.ReadFile(o.roll + ".kept")
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return false
		}
		kept, err = procid.Of(pid)
		return err == nil
	})
	t.Cleanup(func() {
		if kept.State() == procid.Alive {
			syscall.Kill(kept.PID, syscall.SIGKILL)
		}
	})
	return kept
}

// What has the number of a kept child now is not the kept child.
func TestRecoverChecksIdentities(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOLDFAST_LEDGER_DIR", dir)
	first := startOwner(t, script{Keep: `echo $$ > "$ROLL.kept"; exec sleep 1000`})
	kept := keptBy(t, first)
	first.kill()
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("files: %v", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	start := `"start":` + strconv.FormatUint(kept.Start, 10)
	if !strings.Contains(string(text), start) {
		t.Fatalf("no %s in %s", start, text)
	}
	earlier := strings.ReplaceAll(string(text), start, start+"0")
	if err := os.WriteFile(files[0], []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	second := startOwner(t, script{})
	if answer := second.say("recover"); answer != "<nil>" {
		t.Errorf("recovered %q, which is another process", answer)
	}
}

func TestAKeptChildIsStoppedByItsIdentity(t *testing.T) {
	t.Setenv("HOLDFAST_LEDGER_DIR", t.TempDir())
	o := newOwner(t)
	k, err := o.Keep(exec.Command("sh", "-c", "sleep 1000 & exec sleep 1001"), "outlives the test, or not")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if err := k.Wait(context.Background()); err == nil {
		t.Error("its status is that of one that ended well")
	}
	if err := k.Signal(syscall.SIGTERM); err == nil {
		t.Error("it took a signal afterwards")
	}
}

// A program that replaces itself by exec stays the owner of its children.
func TestHandoff(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test finds its own program in /proc")
	}
	t.Setenv("HOLDFAST_LEDGER_DIR", t.TempDir())
	s := script{Default: true, Children: []string{
		`echo $$ >> "$ROLL"; while [ ! -e "$ROLL.go" ]; do sleep 0.02; done; exit 5`,
	}}
	o := startOwner(t, s)
	o.say("start " + call)
	children := o.present(2)
	supervisor := o.say("supervisor")
	next, err := json.Marshal(script{Default: true})
	if err != nil {
		t.Fatal(err)
	}
	if answer := o.say("exec " + string(next)); !strings.HasPrefix(answer, "ready ") {
		t.Fatalf("the next program says %q: %s", answer, o.errors)
	}
	if now := o.say("supervisor"); now != supervisor {
		t.Errorf("the supervisor was %s and is %s", supervisor, now)
	}
	mustLive(t, children)
	if err := os.WriteFile(o.roll+".go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := o.say("wait"); answer != "exit status 5" {
		t.Errorf("Wait says %q", answer)
	}
	o.say("start " + call)
	children = o.present(2)
	o.kill()
	awaitDeath(t, children)
}

func TestAHandoffThatIsCancelledChangesNothing(t *testing.T) {
	before := inheritedFiles(t)
	env, cancel, err := owned.Handoff([]string{"A=b"})
	if err != nil {
		t.Fatal(err)
	}
	if len(env) != 2 || !strings.HasPrefix(env[1], "HOLDFAST_HANDOFF=") {
		t.Errorf("environment %q", env)
	}
	if _, err := owned.Start(exec.Command("true")); err == nil {
		t.Error("something was started between Handoff and exec")
	}
	cancel()
	c, err := owned.Start(exec.Command("true"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if after := inheritedFiles(t); after != before {
		t.Errorf("a child inherits %s files, before %s", after, before)
	}
}

func inheritedFiles(t *testing.T) string {
	t.Helper()
	count, err := exec.Command("sh", "-c", "ls /dev/fd | wc -l").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(count)
}
