package cron_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
	"github.com/holdfast-go/holdfast/runtime/schedule/cron"
)

func TestExpressions(t *testing.T) {
	from := time.Date(2026, 3, 27, 10, 7, 0, 0, time.UTC) // a Friday
	for expression, want := range map[string]time.Time{
		"*/15 * * * *":                     time.Date(2026, 3, 27, 10, 15, 0, 0, time.UTC),
		"0 9 * * 1-5":                      time.Date(2026, 3, 30, 9, 0, 0, 0, time.UTC),
		"@daily":                           time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC),
		"CRON_TZ=Europe/Berlin 30 8 * * *": time.Date(2026, 3, 28, 7, 30, 0, 0, time.UTC),
	} {
		calendar, err := cron.Parse(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got := calendar.Next(from); !got.Equal(want) {
			t.Errorf("%s: %v, want %v", expression, got, want)
		}
	}
	for _, bad := range []string{"", "every 5m", "60 * * * *", "* * * *", "* * * * * *", "@never"} {
		if _, err := cron.Parse(bad); err == nil {
			t.Errorf("%q is no cron expression", bad)
		}
	}
}

func TestAScheduleFollowsItsCalendarAboveTheFloor(t *testing.T) {
	for expression, want := range map[string][]time.Duration{
		"*/10 * * * *":           {10 * time.Minute, 20 * time.Minute, 30 * time.Minute},
		"@every 1s":              {time.Second, 31 * time.Second, 61 * time.Second},
		"0 0 31 2 *":             nil, // never
		"0,1 1 1 1 *":            {time.Hour, time.Hour + time.Minute},
		"CRON_TZ=Nowhere @daily": nil,
	} {
		t.Run(expression, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now().Truncate(24 * time.Hour) // the first of January
				dir := t.TempDir()
				store, err := schedule.NewFiles(dir)
				if err != nil {
					t.Fatal(err)
				}
				began := make(chan time.Duration, 10000)
				engine, err := schedule.New(schedule.Options{
					Store: store, Calendar: cron.Parse,
					Local: schedule.DriverFunc(func(context.Context, schedule.Tick) (schedule.Answer, error) {
						began <- time.Since(start)
						return schedule.Answer{}, nil
					}),
				})
				if err != nil {
					t.Fatal(err)
				}
				defer engine.Close(t.Context())
				_, err = engine.Create(t.Context(), "a", schedule.Spec{Kind: schedule.Loop, Cron: expression})
				if (err == nil) != (want != nil) {
					t.Fatalf("creating: %v", err)
				}
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				if len(began) < len(want) {
					t.Fatalf("%d turns, want at least %d", len(began), len(want))
				}
				for _, w := range want {
					if got := <-began; got != w {
						t.Errorf("a turn began at %v, want %v", got, w)
					}
				}
			})
		})
	}
}
