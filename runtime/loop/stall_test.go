package loop_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

// stuckHere is a name to find in a stack.
func stuckHere(gate <-chan struct{}) { <-gate }

func TestStallIsReportedWhileItLastsAndWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reports := make(chan loop.Stall, 10)
		events := loop.New(loop.WithName("gateway"), loop.WithStallAfter(50*time.Millisecond),
			loop.WithOnStall(func(s loop.Stall) { reports <- s }))
		run(t, events)
		gate := make(chan struct{})
		var where string
		for range 20 { // short ones never add up to a stall
			call(t, events, func() { time.Sleep(49 * time.Millisecond) })
		}
		where = here()
		events.Post(func() { stuckHere(gate) })
		time.Sleep(time.Second)
		close(gate)
		synctest.Wait()

		if len(reports) != 2 {
			t.Fatalf("%d reports, want one while it lasted and one when it ended", len(reports))
		}
		during, after := <-reports, <-reports
		if !during.Ongoing || during.Held != 50*time.Millisecond || during.Loop != "gateway" {
			t.Errorf("during: %v", during)
		}
		if !strings.Contains(string(during.Stack), "stuckHere") || !strings.Contains(during.State, "chan receive") {
			t.Errorf("the stack is not the loop's at that moment (%s):\n%s", during.State, during.Stack)
		}
		if bytes.Count(during.Stack, []byte("\ngoroutine ")) > 0 {
			t.Errorf("more than one stack:\n%s", during.Stack)
		}
		if after.Ongoing || after.Held != time.Second || after.Stack != nil {
			t.Errorf("after: %v", after)
		}
		file := where[:strings.LastIndex(where, ":")]
		for _, s := range []loop.Stall{during, after} {
			if s.Starved || !strings.Contains(s.String(), file) || s.Load.CPUs < 1 {
				t.Errorf("report: %v", s)
			}
		}
		if got := events.Stats(); got.Stalls != 1 || got.Starved != 0 || got.Held.Max != time.Second {
			t.Errorf("%d stalls, %d starved, longest %v", got.Stalls, got.Starved, got.Held.Max)
		}
	})
}

func TestStallIsFoundWhateverRanBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reports := make(chan loop.Stall, 10)
		events := loop.New(loop.WithStallAfter(50*time.Millisecond),
			loop.WithOnStall(func(s loop.Stall) { reports <- s }))
		run(t, events)
		for before := range 49 {
			post(t, events, func() { time.Sleep(time.Duration(before) * time.Millisecond) }) // sets the alarm
			call(t, events, func() { time.Sleep(60 * time.Millisecond) })
			if during := <-reports; !during.Ongoing || during.Held != 50*time.Millisecond {
				t.Errorf("after a callback of %d ms: %v", before, during)
			}
			<-reports
			time.Sleep(time.Second)
		}
	})
}

func TestStallAtTheEndOfTheLoopIsStillReported(t *testing.T) {
	for range 20 { // which of two ready channels is read first is chance
		synctest.Test(t, func(t *testing.T) {
			reports := 0
			events := loop.New(loop.WithOnStall(func(loop.Stall) {
				reports++
				time.Sleep(2 * time.Second) // the loop has ended by then
			}))
			post(t, events, func() { time.Sleep(time.Second); panic("after a second") })
			if err := events.Run(t.Context()); err == nil || reports != 2 {
				t.Errorf("%d reports, %v", reports, err)
			}
		})
	}
}

func TestStacksAreTakenOnceASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reports []loop.Stall
		events := loop.New(loop.WithStallAfter(50*time.Millisecond),
			loop.WithOnStall(func(s loop.Stall) { reports = append(reports, s) }))
		run(t, events)
		for range 20 {
			call(t, events, func() { time.Sleep(100 * time.Millisecond) })
		}
		synctest.Wait()
		ongoing, stacks := 0, 0
		for _, s := range reports {
			if s.Ongoing {
				ongoing++
			}
			if s.Stack != nil {
				stacks++
			}
		}
		if ongoing != 20 || stacks != 2 {
			t.Errorf("%d reports with %d stacks in two seconds, want 20 with 2", ongoing, stacks)
		}
	})
}

func TestStallIsLoggedUnlessToldOtherwise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log safeBuffer
		events := loop.New(loop.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		run(t, events)
		call(t, events, func() { time.Sleep(time.Second) })
		synctest.Wait()
		for _, want := range []string{"level=WARN", "stall_test.go", "has held the loop for 100ms", "held the loop for 1s"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %q in the log:\n%s", want, log.String())
			}
		}
	})
}

func TestWedgedLoopMakesRunReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen *loop.WedgedError
		events := loop.New(
			loop.WithOnStall(func(loop.Stall) {}),
			loop.WithOnWedge(func(e *loop.WedgedError) error { seen = e; return e }))
		gate := make(chan struct{})
		defer close(gate)
		post(t, events, func() { stuckHere(gate) })
		began := time.Now()
		err := events.Run(t.Context())
		e, ok := errors.AsType[*loop.WedgedError](err)
		if !ok || e != seen {
			t.Fatalf("Run: %v", err)
		}
		if took := time.Since(began); took != 2*time.Minute || e.Strikes != 3 || e.Held != took {
			t.Errorf("after %v: %v", took, e)
		}
		if !bytes.Contains(e.Stacks, []byte("stuckHere")) || !strings.Contains(e.Error(), "main_test.go") {
			t.Errorf("%v\n%s", e, e.Stacks)
		}
		if err := events.Call(t.Context(), func() {}); !errors.Is(err, loop.ErrClosed) {
			t.Errorf("Call of a wedged loop: %v", err)
		}
	})
}

func TestStrikesCountOnlyInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wedges atomic.Int32
		events := loop.New(loop.WithProbe(time.Second, time.Second, 3),
			loop.WithOnStall(func(loop.Stall) {}),
			loop.WithOnWedge(func(*loop.WedgedError) error { wedges.Add(1); return nil }))
		run(t, events)
		for range 5 { // two strikes, then an answer
			call(t, events, func() { time.Sleep(5 * time.Second) })
			time.Sleep(5 * time.Second)
		}
		if n := wedges.Load(); n != 0 {
			t.Errorf("%d wedges without three strikes in a row", n)
		}
		call(t, events, func() { time.Sleep(13 * time.Second) })
		time.Sleep(5 * time.Second)
		if n := wedges.Load(); n != 2 {
			t.Errorf("%d wedges in 13 s, want 2: an action that carries on counts anew", n)
		}
	})
}

func TestIdleLoopIsNotWedged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := loop.New(loop.WithOnWedge(func(e *loop.WedgedError) error { return e }))
		run(t, events)
		time.Sleep(24 * time.Hour)
		call(t, events, func() {})
	})
}

// starvedChild makes the test binary a program whose loop is busy for as long as
// standard input is open.
const starvedChild = "HOLDFAST_TEST_STARVED_CHILD"

const starvedThreshold = time.Second

func runStarvedChild() {
	events := loop.New(loop.WithStallAfter(starvedThreshold), loop.WithOnStall(func(s loop.Stall) {
		fmt.Printf("ongoing=%v starved=%v late=%v\n", s.Ongoing, s.Starved, s.Late)
	}))
	_ = events.Post(func() {
		fmt.Println("busy")
		bufio.NewScanner(os.Stdin).Scan()
		_ = events.Close(context.Background())
	})
	if err := events.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

// A safeBuffer is a buffer that one goroutine writes and another reads.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
