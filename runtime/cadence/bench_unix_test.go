//go:build unix

package cadence_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/cadence"
)

// BenchmarkIdle prints what 1,000 polls that find nothing cost, in percent of
// one core, over 5 s of wall time each: on one cadence, hidden on it, and as
// the 1,000 goroutines with a ticker each that it replaces. Run it with
// -benchtime 1x.
func BenchmarkIdle(b *testing.B) {
	const polls, period = 1000, 5 * time.Second
	nothing := func(context.Context) {}
	b.Run("hidden", func(b *testing.B) {
		c := cadence.New(cadence.Options{})
		defer c.Close(b.Context())
		for range polls {
			c.EveryHidden(period, nothing)
		}
		reportIdle(b)
	})
	b.Run("one-tick", func(b *testing.B) {
		c := cadence.New(cadence.Options{})
		defer c.Close(b.Context())
		for range polls {
			c.Every(period, nothing)
		}
		reportIdle(b)
	})
	b.Run("a-period-each", func(b *testing.B) {
		c := cadence.New(cadence.Options{})
		defer c.Close(b.Context())
		for i := range polls {
			c.Every(period+time.Duration(i)*time.Millisecond, nothing)
		}
		reportIdle(b)
	})
	b.Run("a-period-each-exact", func(b *testing.B) {
		c := cadence.New(cadence.Options{Exact: true})
		defer c.Close(b.Context())
		for i := range polls {
			c.Every(period+time.Duration(i)*time.Millisecond, nothing)
		}
		reportIdle(b)
	})
	b.Run("a-ticker-each", func(b *testing.B) {
		stop := make(chan struct{})
		defer close(stop)
		for i := range polls {
			go pollWithTicker(stop, period, time.Duration(i)*period/polls)
		}
		reportIdle(b)
	})
	b.Run("a-ticker-each-of-500ms", func(b *testing.B) {
		stop := make(chan struct{})
		defer close(stop)
		for i := range polls {
			go pollWithTicker(stop, period/10, time.Duration(i)*period/10/polls)
		}
		reportIdle(b)
	})
}

func pollWithTicker(stop <-chan struct{}, period, phase time.Duration) {
	time.Sleep(phase)
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-stop:
			return
		}
	}
}

// reportIdle measures the CPU time of this process over 5 s of wall time for
// each iteration.
func reportIdle(b *testing.B) {
	time.Sleep(time.Second) // past the registering
	var cpu, wall time.Duration
	for b.Loop() {
		start, before := time.Now(), cpuTime(b)
		time.Sleep(5 * time.Second)
		cpu += cpuTime(b) - before
		wall += time.Since(start)
	}
	b.ReportMetric(100*float64(cpu)/float64(wall), "%core")
	b.ReportMetric(0, "ns/op")
}

func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
