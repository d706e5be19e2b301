package lease

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/cadence"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

const (
	sessions     = 11
	perSession   = 8
	pollerPeriod = 500 * time.Millisecond
)

// plantAll writes 8 leases of each of 11 sessions, each of another process, and
// returns them by session.
func plantAll(t testing.TB, dir string) map[string][]procid.Identity {
	holders := make(map[string][]procid.Identity)
	for s := range sessions {
		session := fmt.Sprintf("session-%d", s)
		for n := range perSession {
			id := procid.Identity{Boot: "b", PID: 1000 + s*perSession + n, Start: 1}
			plant(t, dir, session, id)
			holders[session] = append(holders[session], id)
		}
	}
	return holders
}

// A desktop has a poller for each session, which looks whether the holders of
// its leases live, twice a second.
func TestElevenSessionsOfEightLeasesProbeOnceEachFiveSeconds(t *testing.T) {
	const minute = time.Minute
	t.Run("before: each poller probes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var c counter
			var turn sync.Mutex
			clock := cadence.New(cadence.Options{})
			defer clock.Close(t.Context())
			for _, holders := range plantAll(t, t.TempDir()) {
				poll(t, clock, &turn, pollerPeriod, func() {
					for _, holder := range holders {
						c.probe([]procid.Identity{holder})
					}
				})
			}
			time.Sleep(minute + pollerPeriod/2)
			synctest.Wait()
			turn.Lock()
			defer turn.Unlock()
			if per := c.probes / int(minute/pollerPeriod); per != 88 || c.probes%per != 0 {
				t.Errorf("%d probes per half second, the naive way makes 88", per)
			}
		})
	})
	t.Run("after: one cadence refreshes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			holders := plantAll(t, dir)
			var c counter
			var turn sync.Mutex
			leases, err := open(dir, procid.Self(), c.probe)
			if err != nil {
				t.Fatal(err)
			}
			c = counter{} // without the look at the start
			clock := cadence.New(cadence.Options{})
			defer clock.Close(t.Context())
			poll(t, clock, &turn, RefreshPeriod, func() {
				if err := leases.Refresh(context.Background()); err != nil {
					t.Error(err)
				}
			})
			answers := 0
			for session := range holders {
				poll(t, clock, &turn, pollerPeriod, func() { answers += len(leases.Of(session)) })
			}
			for passed := RefreshPeriod; passed <= minute; passed += RefreshPeriod {
				time.Sleep(RefreshPeriod)
				synctest.Wait()
				turn.Lock()
				if limit := int(passed / RefreshPeriod); c.batches > limit {
					t.Errorf("%d batches in %v", c.batches, passed)
				}
				turn.Unlock()
			}
			turn.Lock()
			defer turn.Unlock()
			if c.batches != 12 || c.probes != 12*sessions*perSession {
				t.Errorf("%d batches with %d probes in a minute, want 12 with 88 each", c.batches, c.probes)
			}
			if want := 88 * int(minute/pollerPeriod); answers != want {
				t.Errorf("the pollers saw %d leases, want %d", answers, want)
			}
		})
	})
}

// poll registers what touches the test's own variables: one at a time.
func poll(t *testing.T, clock *cadence.Cadence, turn *sync.Mutex, period time.Duration, run func()) {
	t.Helper()
	_, err := clock.Every(period, func(context.Context) {
		turn.Lock()
		defer turn.Unlock()
		run()
	})
	if err != nil {
		t.Fatal(err)
	}
}
