package lease

import (
	"fmt"
	"testing"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// BenchmarkLookAt88Leases compares, in one run, what 11 pollers with 8 leases
// each cost in half a second when each probes for itself, and what they cost
// when they ask a directory, a tenth of whose refresh falls to each half second.
func BenchmarkLookAt88Leases(b *testing.B) {
	dir := b.TempDir()
	plantAll(b, dir)
	// Each of the 88 holders costs a real look at a process, this one.
	look := func(ids []procid.Identity) []procid.State {
		states := make([]procid.State, len(ids))
		for i := range ids {
			states[i] = procid.Self().State()
		}
		return states
	}
	leases, err := open(dir, procid.Self(), look)
	if err != nil {
		b.Fatal(err)
	}
	var probing, asking, refreshing int64
	b.Run("probe-each", func(b *testing.B) {
		for b.Loop() {
			for range sessions * perSession {
				if procid.Self().State() != procid.Alive {
					b.Fatal("dead")
				}
			}
		}
		probing = b.Elapsed().Nanoseconds() / int64(b.N)
	})
	b.Run("ask-each", func(b *testing.B) {
		for b.Loop() {
			for i := range sessions {
				leases.Of(fmt.Sprintf("session-%d", i))
			}
		}
		asking = b.Elapsed().Nanoseconds() / int64(b.N)
	})
	b.Run("refresh", func(b *testing.B) {
		for b.Loop() {
			if err := leases.Refresh(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		refreshing = b.Elapsed().Nanoseconds() / int64(b.N)
		b.ReportMetric(float64(probing)/(float64(asking)+float64(refreshing)/10), "x-cheaper")
	})
}
