package digestgate

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// crashVariable makes the test program change its input and run the step, in
// the directory of the variable, again and again until it is killed.
const crashVariable = "DIGESTGATE_TEST_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashVariable); dir != "" {
		runForEver(dir)
	}
	os.Exit(m.Run())
}

func crashStep(dir string) (*Gate, Step) {
	return New(filepath.Join(dir, "state")), Step{Name: "copy", Dir: dir, Files: []string{"in"}, Outputs: []string{"out"}}
}

// copyInHalves makes "out" of "in", and for a while it is neither.
func copyInHalves(dir string) func(context.Context) error {
	return func(context.Context) error {
		in, err := os.ReadFile(filepath.Join(dir, "in"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "out"), []byte("half of "+string(in)), 0o600); err != nil {
			return err
		}
		time.Sleep(rand.N(500 * time.Microsecond))
		return os.WriteFile(filepath.Join(dir, "out"), in, 0o600)
	}
}

func runForEver(dir string) {
	gate, step := crashStep(dir)
	for i := 0; ; i++ {
		// Three inputs, so that they often go back to what has succeeded.
		if err := os.WriteFile(filepath.Join(dir, "in"), fmt.Append(nil, i%3), 0o600); err != nil {
			panic(err)
		}
		if _, err := gate.Run(context.Background(), step, copyInHalves(dir)); err != nil {
			panic(err)
		}
		if i == 0 {
			fmt.Println("running")
		}
	}
}

func TestAKilledStepRunsAgainAndAFinishedOneDoesNot(t *testing.T) {
	kills := 30
	if os.Getenv("HOLDFAST_E2E") == "1" {
		kills = 1000
	}
	dir := t.TempDir()
	gate, step := crashStep(dir)
	again := 0
	for range kills {
		killAtRandom(t, dir)
		in, out := read(t, dir, "in"), read(t, dir, "out")
		decision, err := gate.Check(t.Context(), step)
		if err != nil {
			t.Fatal(err)
		}
		if !decision.Run && in != out {
			t.Fatalf("skipped, with %q made of %q", out, in)
		}
		if decision.Run {
			again++
		}
		if _, err := gate.Run(t.Context(), step, copyInHalves(dir)); err != nil {
			t.Fatal(err)
		}
		if decision, err := gate.Check(t.Context(), step); err != nil || decision.Run {
			t.Fatalf("finished, and to be run again: %+v, %v", decision, err)
		}
	}
	t.Logf("%d of %d killed steps have to run again", again, kills)
	if again == 0 {
		t.Error("no kill fell into a run, so this test shows nothing")
	}
}

func killAtRandom(t *testing.T, dir string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashVariable+"="+dir)
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	if !bufio.NewScanner(output).Scan() {
		t.Fatal("the child never ran the step")
	}
	time.Sleep(rand.N(10 * time.Millisecond)) // the moment of the kill
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
