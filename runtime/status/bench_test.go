package status_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/status"
)

// BenchmarkPublish publishes a field that changes each time, while the file is
// being written.
func BenchmarkPublish(b *testing.B) {
	w := status.New(filepath.Join(b.TempDir(), "status.json"))
	defer w.Close(context.Background())
	for i := range 50 {
		w.Publish(status.Int(status.Join("platforms", string(rune('a'+i)), "agents"), i))
	}
	b.Run("one number", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			w.Publish(status.Int("active_agents", i))
		}
	})
	b.Run("one text, nested", func(b *testing.B) {
		texts := [2]string{"connected", "retrying"}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			w.Publish(status.String("platforms/telegram/state", texts[i%2]))
		}
	})
	b.Run("four fields at once", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			w.Publish(status.Int("active_agents", i), status.Bool("busy", i%2 == 0),
				status.Float("load", float64(i)), status.Time("updated_at", time.Unix(int64(i), 0)))
		}
	})
	b.Run("eight goroutines", func(b *testing.B) {
		b.SetParallelism(4)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				w.Publish(status.Int("active_agents", i))
			}
		})
	})
}
