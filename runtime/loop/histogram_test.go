package loop

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsHoldWhatFallsIntoThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		d := random.Int64N(1 << (10 + random.IntN(38)))
		i := bucketOf(d)
		if time.Duration(d) >= bucketEnd(i) || i > 0 && time.Duration(d) < bucketEnd(i-1) {
			t.Fatalf("%v is in bucket %d, which ends at %v", time.Duration(d), i, bucketEnd(i))
		}
	}
	for _, d := range []int64{-1, 0, 1<<63 - 1} {
		if i := bucketOf(d); i < 0 || i >= buckets {
			t.Errorf("%d is in bucket %d", d, i)
		}
	}
}

func TestQuantilesAreAtMostAQuarterAboveTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var r recorder
	var all []int64
	for range 10_000 {
		d := int64(time.Microsecond) * (10 + random.Int64N(1<<random.IntN(30)))
		r.add(d)
		all = append(all, d)
	}
	slices.Sort(all)
	h := r.read()
	if h.Count != 10_000 || int64(h.Max) != all[len(all)-1] {
		t.Errorf("count %d, max %v", h.Count, h.Max)
	}
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 1} {
		truth := time.Duration(all[max(0, int(q*float64(len(all)))-1)])
		if got := h.Quantile(q); got < truth || got > truth*5/4+time.Microsecond {
			t.Errorf("quantile %v is %v, the truth is %v", q, got, truth)
		}
	}
	if got := new(Histogram).Quantile(0.5); got != 0 {
		t.Errorf("the median of nothing is %v", got)
	}
}

func TestMeasuringAllocatesNothing(t *testing.T) {
	var r recorder
	if n := testing.AllocsPerRun(100, func() { r.add(12345678) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
