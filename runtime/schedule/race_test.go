package schedule_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

// Four processes find the same tick overdue at the same moment.
func TestOfManyProcessesOneRunsATick(t *testing.T) {
	rounds := 5
	if os.Getenv("HOLDFAST_E2E") == "1" {
		rounds = 50
	}
	dir := t.TempDir()
	store, err := schedule.NewFiles(filepath.Join(dir, "schedules"))
	must(t, err)
	createAll(t, store, "victim")
	for round := range rounds {
		race(t, dir, round+1, time.Duration(round)*ahead)
		if got := read(t, store, "victim"); got.Ticks != round+1 || got.Claim != nil {
			t.Fatalf("round %d: %+v, want %d ticks and no claim", round, got, round+1)
		}
		if seen := effectsOf(t, dir, "victim"); len(seen) != round+1 {
			t.Fatalf("round %d: the turns %v have run, want %d", round, seen, round+1)
		}
	}
}

// race lets four processes run the one tick that is due at the offset.
func race(t *testing.T, dir string, tick int, offset time.Duration) {
	t.Helper()
	var starts []io.Closer
	var ends []func() error
	for range 4 {
		child := newChild(t, dir, "racer", childStep+"="+strconv.Itoa(tick), childTime+"="+offset.String())
		in, err := child.StdinPipe()
		must(t, err)
		must(t, child.Start())
		t.Cleanup(func() { _ = child.Process.Kill() })
		watchdog := time.AfterFunc(time.Minute, func() { _ = child.Process.Kill() })
		starts, ends = append(starts, in), append(ends, func() error {
			defer watchdog.Stop()
			return child.Wait()
		})
	}
	for _, start := range starts {
		_ = start.Close()
	}
	for _, end := range ends {
		must(t, end())
	}
}

// runRacer drives the session until the tick that is due has ended, here or in
// another process.
func runRacer(dir string, store *schedule.Files, offset time.Duration) {
	due, err := strconv.Atoi(os.Getenv(childStep))
	check(err)
	_, err = io.Copy(io.Discard, os.Stdin) // All start together.
	check(err)
	e, err := schedule.New(schedule.Options{
		Store: store, Logger: quiet, Clock: newWallClock(offset),
		Local: schedule.DriverFunc(func(_ context.Context, tick schedule.Tick) (schedule.Answer, error) {
			effect(dir, tick)
			return schedule.Answer{Text: "done"}, nil
		}),
	})
	check(err)
	check(e.Open(context.Background(), "victim"))
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		now, err := store.Read(context.Background(), "victim")
		check(err)
		if s := now.Schedules[schedule.Loop]; s.Ticks >= due && s.Claim == nil {
			break
		}
		if time.Now().After(deadline) {
			check(fmt.Errorf("the tick %d has not ended", due))
		}
	}
	check(e.Close(context.Background()))
}
