package loop

import (
	"iter"
	"math/bits"
	"sync/atomic"
	"time"
)

// Buckets are a quarter of a power of two wide, from a microsecond to six days.
const (
	subBuckets = 4
	octaves    = 40
	buckets    = subBuckets * octaves
)

// A Histogram says how often which duration was measured. It is a copy; the zero
// Histogram has no measurement.
type Histogram struct {
	// Count is how many were measured, Max the longest.
	Count uint64
	Max   time.Duration

	counts [buckets]uint64
}

// Quantile returns a duration that the share q of all measurements do not
// exceed: q is between 0 and 1, and 0.5 is the median. What it returns is the
// end of a bucket, so up to a quarter above the truth, and never above Max.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := uint64(q * float64(h.Count))
	seen := uint64(0)
	for end, count := range h.Buckets() {
		seen += count
		if seen >= rank && seen > 0 {
			return min(end, h.Max)
		}
	}
	return h.Max
}

// Buckets iterates over the buckets that are not empty, shortest first: the end
// of the bucket, which does not belong to it, and how many fell into it.
func (h *Histogram) Buckets() iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		for i, count := range h.counts {
			if count > 0 && !yield(bucketEnd(i), count) {
				return
			}
		}
	}
}

// bucketOf returns the bucket of a duration in nanoseconds.
func bucketOf(d int64) int {
	us := uint64(max(0, d)) / uint64(time.Microsecond)
	if us < subBuckets {
		return int(us)
	}
	octave := bits.Len64(us) - 3 // 0 for 4 to 7 µs
	return min(buckets-1, subBuckets*(octave+1)+int(us>>octave)-subBuckets)
}

func bucketEnd(i int) time.Duration {
	if i < subBuckets {
		return time.Duration(i+1) * time.Microsecond
	}
	octave, sub := i/subBuckets-1, i%subBuckets
	return time.Duration(subBuckets+sub+1) << octave * time.Microsecond
}

// A recorder is a histogram that one goroutine writes and any may read.
type recorder struct {
	max    atomic.Int64
	counts [buckets]atomic.Uint64
}

func (r *recorder) add(d int64) {
	d = max(0, d)
	r.counts[bucketOf(d)].Add(1)
	if d > r.max.Load() {
		r.max.Store(d)
	}
}

func (r *recorder) read() Histogram {
	h := Histogram{Max: time.Duration(r.max.Load())}
	for i := range r.counts {
		h.counts[i] = r.counts[i].Load()
		h.Count += h.counts[i]
	}
	return h
}
