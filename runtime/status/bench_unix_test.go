//go:build unix

package status_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/renameio/v2"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

// BenchmarkReplaceAgainstRenameio replaces a file of 1 KiB, with the content
// forced to the disk, by this module's code and by renameio, in alternating
// rounds of one run. "ratio" is our time in renameio's times.
func BenchmarkReplaceAgainstRenameio(b *testing.B) {
	folder := b.TempDir()
	ours, theirs := filepath.Join(folder, "ours"), filepath.Join(folder, "theirs")
	data := make([]byte, 1024)
	for name, replace := range map[string]func() error{
		"replace": func() error { return atomicfile.Write(ours, data, atomicfile.SyncFile) },
		"exchange and read back": func() error {
			staged, err := atomicfile.Stage(ours, data, atomicfile.SyncFile)
			if err != nil {
				return err
			}
			_, err = staged.Swap(data)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			if err := atomicfile.Write(ours, data, atomicfile.SyncFile); err != nil {
				b.Fatal(err)
			}
			var byUs, byThem time.Duration
			for b.Loop() {
				byUs += timed(b, replace)
				byThem += timed(b, func() error { return renameio.WriteFile(theirs, data, 0o600) })
			}
			n := float64(b.N)
			b.ReportMetric(float64(byUs)/n, "ns/ours")
			b.ReportMetric(float64(byThem)/n, "ns/renameio")
			b.ReportMetric(float64(byUs)/float64(byThem), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func timed(b *testing.B, f func() error) time.Duration {
	began := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}
