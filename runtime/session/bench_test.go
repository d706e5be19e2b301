package session_test

import (
	"context"
	"log/slog"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
	"github.com/holdfast-go/holdfast/runtime/session"
)

// handClock goes when it is told to, and counts how often its one timer is set,
// which is the registry's. Those that bound a question never come.
type handClock struct {
	mu   sync.Mutex
	now  time.Time
	due  time.Time
	f    func()
	sets int
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	if c.f != nil {
		return idleTimer{}
	}
	c.f = f
	c.Reset(d)
	return c
}

type idleTimer struct{}

func (idleTimer) Stop() bool               { return true }
func (idleTimer) Reset(time.Duration) bool { return true }

func (c *handClock) Stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = time.Time{}
	return true
}

func (c *handClock) Reset(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = c.now.Add(d)
	c.sets++
	return true
}

// advance lets the time pass and the timer come whenever it is due.
func (c *handClock) advance(d time.Duration) (fired int) {
	c.mu.Lock()
	end := c.now.Add(d)
	for !c.due.IsZero() && !c.due.After(end) {
		if c.due.After(c.now) {
			c.now = c.due
		}
		c.due = time.Time{}
		fired++
		c.mu.Unlock()
		c.f()
		c.mu.Lock()
	}
	c.now = end
	c.mu.Unlock()
	return fired
}

// jump lets the time pass at once, and the timer come late.
func (c *handClock) jump(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	c.advance(0)
}

type noSchedules struct{}

func (noSchedules) SoleEngine(context.Context, string) (bool, error) { return false, nil }

const (
	million  = 1_000_000
	detached = 100_000
)

func millionRegistry(tb testing.TB, clock clock.Clock, n int) (*session.Registry, []string) {
	r, err := session.New(session.Options{
		Grace:     time.Hour,
		Clock:     clock,
		Schedules: noSchedules{},
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		tb.Fatal(err)
	}
	names := make([]string, n)
	for i := range names {
		names[i] = "session-" + strconv.Itoa(i)
	}
	return r, names
}

// BenchmarkMillion has a million sessions, of which a hundred thousand have lost
// their client with due times spread over an hour. An operation is one Add, one
// Connect, one Drop, one reconnect and drop of which each counts, or one reap.
func BenchmarkMillion(b *testing.B) {
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	for b.Loop() {
		var clk handClock
		r, names := millionRegistry(b, &clk, million)
		before := heapInUse()
		clients := make([]session.Client, million)
		own := heapInUse() - before

		register := rate(2*million, func() {
			for i, name := range names {
				if r.Add(name) != nil {
					b.Fatal("not added")
				}
				clients[i], _ = r.Connect(name)
			}
		})
		attached := heapInUse() - before - own
		spread := time.Hour / detached
		drop := rate(detached, func() {
			for i := range detached {
				clk.advance(spread)
				clients[i*10].Drop()
			}
		})
		total := heapInUse() - before - own
		cancel := rate(2*detached, func() {
			for i := range detached {
				clients[i*10], _ = r.Connect(names[i*10])
				clk.advance(1)
				clients[i*10].Drop()
			}
		})
		for i := range detached { // spread again
			clients[i*10], _ = r.Connect(names[i*10])
		}
		for i := range detached {
			clk.advance(spread)
			clients[i*10].Drop()
		}
		// Half of them one by one, each with a timer and a question of its own,
		// and half as they come to a process that is a second behind.
		single := rate(detached/2, func() { clk.advance(time.Hour / 2) })
		behind := rate(r.Len()-million+detached, func() {
			for r.Len() > million-detached {
				clk.jump(time.Second)
			}
		})
		if r.Len() != million-detached {
			b.Fatalf("%d sessions are left", r.Len())
		}
		b.ReportMetric(register, "register/s")
		b.ReportMetric(drop, "drop/s")
		b.ReportMetric(cancel, "cancel/s")
		b.ReportMetric(single, "reap-single/s")
		b.ReportMetric(behind, "reap/s")
		b.ReportMetric(float64(attached)/million, "B/session")
		b.ReportMetric(float64(attached)/million+float64(total-attached)/detached, "B/detached")
	}
}

func rate(operations int, do func()) float64 {
	start := time.Now()
	do()
	return float64(operations) / time.Since(start).Seconds()
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestARecordIsSmall(t *testing.T) {
	if session.RecordSize > 96 {
		t.Errorf("a record has %d bytes, which is more than the documentation says", session.RecordSize)
	}
}

// Memory is not a time: it may be asserted.
func TestADetachedSessionCostsLessThan200Bytes(t *testing.T) {
	var clk handClock
	const n = 100_000
	r, names := millionRegistry(t, &clk, n)
	before := heapInUse()
	for _, name := range names {
		if err := r.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	each := (heapInUse() - before) / n
	t.Logf("%d bytes for each detached session beyond its id", each)
	if each >= 200 {
		t.Errorf("%d bytes for each detached session", each)
	}
	if err := r.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(names)
}

// The number of sessions must not show in what happens when nothing is due.
func TestNothingHappensWhileNothingIsDue(t *testing.T) {
	var clk handClock
	const n = 10_000
	r, names := millionRegistry(t, &clk, n)
	for _, name := range names {
		if err := r.Add(name); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Connect(name); err != nil {
			t.Fatal(err)
		}
	}
	clk.advance(time.Hour) // the timer that the first Add has set may come once
	if fired := clk.advance(1000 * time.Hour); fired != 0 {
		t.Errorf("the timer came %d times while every session had its client", fired)
	}
	if clk.sets > 2 {
		t.Errorf("the timer was set %d times, want no more than twice: nobody became due earlier", clk.sets)
	}
}
