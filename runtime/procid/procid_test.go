package procid_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// roleVariable makes the test program play a child's part instead of testing.
const roleVariable = "PROCID_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "wait for the end of stdin":
		io.Copy(io.Discard, os.Stdin)
	case "say who is PID 1":
		fmt.Println(procid.Of(1))
	case "end the leader before its threads":
		endLeader()
	}
}

func TestSelfIsWhatOfSaysOfThisProcess(t *testing.T) {
	needSupport(t)
	self := procid.Self()
	if self.PID != os.Getpid() || self.Boot == "" {
		t.Fatalf("Self() = %+v", self)
	}
	again, err := procid.Of(os.Getpid())
	if err != nil || again != self {
		t.Errorf("Of(self) = %v, %v, want %v", again, err, self)
	}
	if state := self.State(); state != procid.Alive {
		t.Errorf("this process is %v", state)
	}
}

func TestStateFollowsAChildToItsEnd(t *testing.T) {
	needSupport(t)
	child := startChild(t)
	id, err := procid.Of(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if state := id.State(); state != procid.Alive {
		t.Errorf("a child that runs is %v", state)
	}
	child.Process.Kill()
	if runtime.GOOS != "windows" {
		waitFor(t, "the killed child to be a zombie", func() bool { return id.State() == procid.Zombie })
		if again, err := procid.Of(id.PID); err != nil || again != id {
			t.Errorf("a zombie is still itself: %v, %v", again, err)
		}
	}
	child.Wait()
	waitFor(t, "the child to be gone", func() bool { return id.State() == procid.Gone })
	if _, err := procid.Of(id.PID); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("Of a pid that is nobody's: %v, want os.ErrProcessDone", err)
	}
}

// A recycled number looks like this: the note says another start.
func TestARecycledNumberIsGone(t *testing.T) {
	needSupport(t)
	child := startChild(t)
	now, err := procid.Of(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	for name, noted := range map[string]procid.Identity{
		"started before": {Boot: now.Boot, PID: now.PID, Start: now.Start - 1},
		"started after":  {Boot: now.Boot, PID: now.PID, Start: now.Start + 1},
		"no start":       {Boot: now.Boot, PID: now.PID},
	} {
		if state := noted.State(); state != procid.Gone {
			t.Errorf("%s: %v, want gone", name, state)
		}
	}
}

func TestWhatCannotBeProvenIsNotGone(t *testing.T) {
	for name, id := range map[string]procid.Identity{
		"the zero Identity": {},
		"no boot":           {PID: os.Getpid(), Start: 1},
		"no number":         {Boot: procid.Self().Boot, Start: 1},
		"negative number":   {Boot: procid.Self().Boot, PID: -1, Start: 1},
	} {
		if state := id.State(); state != procid.CannotTell {
			t.Errorf("%s: %v, want that one cannot tell", name, state)
		}
	}
}

func TestAllKnowsThisProcessAndItsChild(t *testing.T) {
	needSupport(t)
	child := startChild(t)
	id, err := procid.Of(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	all, err := procid.All()
	if err != nil {
		t.Fatal(err)
	}
	found := map[procid.Identity]procid.Info{}
	for _, info := range all {
		found[info.Identity] = info
	}
	if info, ok := found[procid.Self()]; !ok || info.State != procid.Alive {
		t.Errorf("this process is not among %d: %+v", len(all), info)
	}
	info, ok := found[id]
	if !ok || info.State != procid.Alive || info.Parent != os.Getpid() || info.Name == "" {
		t.Errorf("the child is %+v", info)
	}
	if runtime.GOOS != "windows" && info.Group != found[procid.Self()].Group {
		t.Errorf("the child is in group %d", info.Group)
	}
}

func TestOfRefusesNumbersThatKillWouldTakeForAGroup(t *testing.T) {
	for _, pid := range []int{0, -1, -os.Getpid()} {
		if id, err := procid.Of(pid); err == nil {
			t.Errorf("Of(%d) = %v", pid, id)
		}
	}
}

func TestIdentityGoesThroughTextAndJSON(t *testing.T) {
	for _, id := range []procid.Identity{
		{Boot: "b7c2d8f6-0b7e-4a34-9c43-cf6e4f8d2a11", PID: 1, Start: 0},
		{Boot: "b7c2d8f6-0b7e-4a34-9c43-cf6e4f8d2a11-4026532177", PID: 1<<31 - 1, Start: 1<<64 - 1},
		{Boot: "windows", PID: 4, Start: 133_000_000_000_000_000},
	} {
		if back, err := procid.Parse(id.String()); err != nil || back != id {
			t.Errorf("Parse(%q) = %v, %v", id, back, err)
		}
		text, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		var back procid.Identity
		if err := json.Unmarshal(text, &back); err != nil || back != id {
			t.Errorf("%s gave %v, %v", text, back, err)
		}
	}
	text, _ := json.Marshal(procid.Identity{Boot: "b", PID: 2, Start: 3})
	if want := `{"boot":"b","pid":2,"start":3}`; string(text) != want {
		t.Errorf("got %s, want %s: files have this form", text, want)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", ":", "::", "b:1", "b:1:", "b::1", ":1:1", "b:0:1", "b:-1:1", "b:+1:1", "b:01:1", "b:1:01", "b:1:-1", "b:1:1 ", " b:1:1",
		"b:1:1\n", "b:1:1:1", "a/b:1:1", "a.b:1:1", "b:2147483648:1", "b:1:18446744073709551616", "b:1x:1", "é:1:1",
		strings.Repeat("b", 65) + ":1:1",
	} {
		if id, err := procid.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", text, id)
		}
	}
}

// FuzzParse protects files that name owners: what is taken is written back the
// same, so no two texts mean one process.
func FuzzParse(f *testing.F) {
	f.Add("b7c2d8f6-0b7e-4a34-9c43-cf6e4f8d2a11:1:2")
	f.Add("b:01:2")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := procid.Parse(text)
		if err != nil {
			if id != (procid.Identity{}) {
				t.Errorf("%q: an error and %+v", text, id)
			}
			return
		}
		if id.String() != text || id.PID <= 0 || strings.ContainsAny(id.Boot, ":/.") {
			t.Errorf("%q parsed as %+v", text, id)
		}
	})
}

func TestStatesGoThroughText(t *testing.T) {
	for _, state := range []procid.State{procid.CannotTell, procid.Alive, procid.Zombie, procid.Gone} {
		text, err := state.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		back := procid.State(99)
		if err := back.UnmarshalText(text); err != nil || back != state {
			t.Errorf("%s gave %v, %v", text, back, err)
		}
	}
	if err := new(procid.State).UnmarshalText([]byte("dead")); err == nil {
		t.Error("took a state that there is not")
	}
}

func BenchmarkState(b *testing.B) {
	needSupport(b)
	self := procid.Self()
	for b.Loop() {
		if self.State() != procid.Alive {
			b.Fatal("not alive")
		}
	}
}

// startChild starts a process that ends when the test does.
func startChild(t *testing.T) *exec.Cmd {
	t.Helper()
	return startChildInRole(t, "wait for the end of stdin")
}

func startChildInRole(t *testing.T, role string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), roleVariable+"="+role)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		child.Process.Kill()
		child.Wait()
	})
	return child
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("waited 20 s in vain for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func needSupport(t testing.TB) {
	t.Helper()
	if _, err := procid.Of(os.Getpid()); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
}
