package loop_test

import (
	"context"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

// BenchmarkPostAgainstChannel hands a function to another goroutine and waits
// until it has run, by the loop and by a bare channel, in alternating rounds of
// one run. "ratio" is the loop's time in channel's times.
func BenchmarkPostAgainstChannel(b *testing.B) {
	events, stop := start(b)
	defer stop()
	functions := make(chan func())
	defer close(functions)
	go func() {
		for f := range functions {
			f()
		}
	}()
	done := make(chan struct{})
	signal := func() { done <- struct{}{} }

	var byLoop, byChannel time.Duration
	const round = 1000
	b.ReportAllocs()
	for b.Loop() {
		byLoop += timed(round, func() { _ = events.Post(signal); <-done })
		byChannel += timed(round, func() { functions <- signal; <-done })
	}
	report(b, round, byLoop, byChannel)
}

// BenchmarkPostBurstAgainstChannel posts a burst and waits for the last.
func BenchmarkPostBurstAgainstChannel(b *testing.B) {
	events, stop := start(b)
	defer stop()
	const burst = 1000
	functions := make(chan func(), burst)
	defer close(functions)
	go func() {
		for f := range functions {
			f()
		}
	}()
	done := make(chan struct{})
	count := 0
	signal := func() {
		if count++; count == burst {
			count = 0
			done <- struct{}{}
		}
	}

	var byLoop, byChannel time.Duration
	b.ReportAllocs()
	for b.Loop() {
		byLoop += timed(1, func() {
			for range burst {
				_ = events.Post(signal)
			}
			<-done
		})
		byChannel += timed(1, func() {
			for range burst {
				functions <- signal
			}
			<-done
		})
	}
	report(b, burst, byLoop, byChannel)
}

func start(b *testing.B) (*loop.Loop, func()) {
	events := loop.New()
	ended := make(chan error, 1)
	go func() { ended <- events.Run(context.Background()) }()
	return events, func() {
		_ = events.Close(context.Background())
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
}

func timed(times int, f func()) time.Duration {
	began := time.Now()
	for range times {
		f()
	}
	return time.Since(began)
}

func report(b *testing.B, perRound int, ours, theirs time.Duration) {
	n := float64(b.N * perRound)
	b.ReportMetric(float64(ours)/n, "ns/post")
	b.ReportMetric(float64(theirs)/n, "ns/channel")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
	b.ReportMetric(0, "ns/op")
}
