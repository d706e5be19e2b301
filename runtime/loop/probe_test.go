package loop

import (
	"io"
	"log/slog"
	"testing"
	"time"
)

// A watchdog that comes late has no right to blame the loop.
func TestLateWatchdogCountsNoStrike(t *testing.T) {
	l := New(WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	p := newProber(&l.watch)
	defer p.timer.Stop()
	p.pending.Store(true)
	for range 10 {
		if err := p.judge(int64(p.policy.timeout) / 2); err != nil || p.strikes != 0 {
			t.Fatalf("%d strikes, %v", p.strikes, err)
		}
	}
	if err := p.judge(int64(time.Millisecond)); err != nil || p.strikes != 1 {
		t.Errorf("a strike in time: %d strikes, %v", p.strikes, err)
	}
}
