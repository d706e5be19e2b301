package schedule_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

// The children of this file are this test program again, with these variables.
const (
	childRole = "HOLDFAST_SCHEDULE_CHILD" // "victim", "control" or "racer"
	childDir  = "HOLDFAST_SCHEDULE_DIR"
	childStep = "HOLDFAST_SCHEDULE_STEP" // where the victim stops to be killed; the number of the racer's tick
	childTime = "HOLDFAST_SCHEDULE_TIME" // how far its clock is ahead
)

// The steps of a tick at which a victim is killed.
var steps = []string{
	"before the claim", "in the claim", "claimed",
	"turn taken", "in the start", "started",
	"turn begins", "turn has run", "in the end", "ended",
}

var (
	started = slices.Index(steps, "started")      // from here on the tick counts
	hasRun  = slices.Index(steps, "turn has run") // from here on its effect is seen
)

const ahead = 2 * time.Minute // more than the interval

func TestAKillBetweenAnyTwoStepsLosesAndDoublesNoTick(t *testing.T) {
	rounds := 3 * len(steps)
	if os.Getenv("HOLDFAST_E2E") == "1" {
		rounds = 1000
	}
	dir := t.TempDir()
	store, err := schedule.NewFiles(filepath.Join(dir, "schedules"))
	must(t, err)
	createAll(t, store, "victim", "control")
	endControl := startControl(t, dir)

	ticks, effects := 0, 0
	for round := range rounds {
		step := round % len(steps)
		killAt(t, dir, step, time.Duration(2*round)*ahead)

		// The tick that came after the restart, and what of the next one has
		// been written when the victim was killed.
		ticks, effects = ticks+1, effects+1
		if step >= hasRun {
			effects++
		}
		seen := effectsOf(t, dir, "victim")
		if len(seen) != effects {
			t.Fatalf("round %d, killed %s: %d turns have run, want %d", round, steps[step], len(seen), effects)
		}
		if step >= started {
			ticks++
		}
		claimed := step >= slices.Index(steps, "claimed") && step < started
		want := ticks
		if claimed {
			want++ // to be given back
		}
		if got := read(t, store, "victim"); got.Ticks != want || got.Status != schedule.Active {
			t.Fatalf("round %d, killed %s: %d ticks, want %d", round, steps[step], got.Ticks, want)
		}
		if !slices.IsSorted(seen) || len(slices.Compact(seen)) != effects {
			t.Fatalf("round %d, killed %s: a tick was doubled", round, steps[step])
		}
	}

	// Every victim has found the tick of the control overdue, and left it alone.
	if got := read(t, store, "control"); got.Claim == nil || !got.Claim.Started || got.Ticks != 1 {
		t.Errorf("the control's tick was touched: %+v", got)
	}
	endControl()
	if got := read(t, store, "control"); got.Claim != nil || got.Ticks != 1 || len(effectsOf(t, dir, "control")) != 1 {
		t.Errorf("the control's tick has not ended well: %+v", got)
	}
}

func createAll(t *testing.T, store schedule.Store, sessions ...string) {
	t.Helper()
	e := open(t, schedule.Options{Store: store, External: &agent{}}) // drives neither
	for _, session := range sessions {
		_, err := e.Create(t.Context(), session, schedule.Spec{Kind: schedule.Loop, Every: time.Minute})
		must(t, err)
	}
}

func read(t *testing.T, store schedule.Store, session string) schedule.Schedule {
	t.Helper()
	document, err := store.Read(t.Context(), session)
	must(t, err)
	return *document.Schedules[schedule.Loop]
}

func effectsOf(t *testing.T, dir, session string) []int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, session))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var numbers []int
	for _, line := range strings.Fields(string(data)) {
		n, err := strconv.Atoi(line)
		must(t, err)
		numbers = append(numbers, n)
	}
	return numbers
}

// killAt starts a victim, waits until it has stopped at the step, and kills it.
func killAt(t *testing.T, dir string, step int, offset time.Duration) {
	t.Helper()
	child := newChild(t, dir, "victim", childStep+"="+strconv.Itoa(step), childTime+"="+offset.String())
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	watchdog := time.AfterFunc(time.Minute, func() { child.Process.Signal(syscall.SIGQUIT) }) // for its stacks
	defer watchdog.Stop()
	line, _ := bufio.NewReader(out).ReadString('\n')
	_ = child.Process.Kill()
	_ = child.Wait()
	if line != "stopped\n" {
		t.Fatalf("the victim said %q, want that it has stopped %s", line, steps[step])
	}
}

// startControl starts an owner in the middle of a tick. The function that it
// returns lets the tick end.
func startControl(t *testing.T, dir string) (end func()) {
	t.Helper()
	child := newChild(t, dir, "control", childTime+"=0s")
	in, err := child.StdinPipe()
	must(t, err)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	t.Cleanup(func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	})
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "running\n" {
		t.Fatalf("the control said %q", line)
	}
	return func() {
		_ = in.Close()
		if err := child.Wait(); err != nil {
			t.Errorf("the control: %v", err)
		}
	}
}

func newChild(t *testing.T, dir, role string, environment ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	child := exec.Command(self)
	child.Stderr = os.Stderr
	child.Env = append(os.Environ(), append(environment, childRole+"="+role, childDir+"="+dir)...)
	return child
}

// What follows runs in the children.

func runChild(role string) {
	offset, err := time.ParseDuration(os.Getenv(childTime))
	check(err)
	dir := os.Getenv(childDir)
	store, err := schedule.NewFiles(filepath.Join(dir, "schedules"))
	check(err)
	switch role {
	case "control":
		runControl(dir, store)
		return
	case "racer":
		runRacer(dir, store, offset)
		return
	}
	// The process before this one was killed: one tick is overdue. Then comes the
	// one in which this process is killed.
	runTick(dir, store, offset, -1)
	step, err := strconv.Atoi(os.Getenv(childStep))
	check(err)
	runTick(dir, store, offset+ahead, step)
}

// runTick runs the victim's tick, and stops for ever at a step of it.
func runTick(dir string, store schedule.Store, offset time.Duration, step int) {
	hooked := &hookedStore{Store: store, ended: make(chan struct{}, 1)}
	driver := &hookedDriver{dir: dir, at: func(name string) {
		if step >= 0 && steps[step] == name {
			fmt.Println("stopped")
			select {}
		}
	}}
	hooked.at = driver.at
	e, err := schedule.New(schedule.Options{
		Store: hooked, Local: driver, Logger: quiet, Budget: -1,
		Clock: newWallClock(offset),
	})
	check(err)
	check(e.Open(context.Background(), "control"))
	check(e.Open(context.Background(), "victim"))
	<-hooked.ended
	check(e.Close(context.Background()))
}

// hookedStore stops before, in and after each write of the victim's tick.
type hookedStore struct {
	schedule.Store
	at    func(step string)
	done  atomic.Int32
	ended chan struct{}
}

func (h *hookedStore) Update(ctx context.Context, session string, change func(*schedule.Document) error) error {
	if session != "victim" {
		return h.Store.Update(ctx, session, change)
	}
	n := h.done.Load()
	if n == 0 {
		h.at("before the claim")
	}
	err := h.Store.Update(ctx, session, func(d *schedule.Document) error {
		err := change(d)
		if err == nil && n < 3 {
			h.at([]string{"in the claim", "in the start", "in the end"}[n])
		}
		return err
	})
	if err != nil || n > 2 {
		return err
	}
	h.done.Store(n + 1)
	h.at([]string{"claimed", "started", "ended"}[n])
	if n == 2 {
		h.ended <- struct{}{}
	}
	return nil
}

// hookedDriver stops around the turn, whose effect is a line in a file.
type hookedDriver struct {
	dir string
	at  func(step string)
}

func (h *hookedDriver) Begin(_ context.Context, tick schedule.Tick) (schedule.Turn, error) {
	h.at("turn taken")
	return &hookedTurn{h, tick}, nil
}

type hookedTurn struct {
	*hookedDriver
	tick schedule.Tick
}

func (h *hookedTurn) Abandon() {}

func (h *hookedTurn) Run(context.Context) (schedule.Answer, error) {
	h.at("turn begins")
	effect(h.dir, h.tick)
	h.at("turn has run")
	return schedule.Answer{Text: "done"}, nil
}

func effect(dir string, tick schedule.Tick) {
	file, err := os.OpenFile(filepath.Join(dir, tick.Session), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	check(err)
	_, err = fmt.Fprintln(file, tick.Number)
	check(err)
	check(file.Close())
}

// runControl runs one tick, which ends when its standard input does.
func runControl(dir string, store schedule.Store) {
	ended := make(chan struct{})
	e, err := schedule.New(schedule.Options{
		Store: store, Logger: quiet,
		Local: schedule.DriverFunc(func(_ context.Context, tick schedule.Tick) (schedule.Answer, error) {
			effect(dir, tick)
			fmt.Println("running")
			_, err := io.Copy(io.Discard, os.Stdin)
			close(ended)
			return schedule.Answer{Text: "done"}, err
		}),
	})
	check(err)
	check(e.Open(context.Background(), "control"))
	<-ended
	check(e.Close(context.Background()))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}
