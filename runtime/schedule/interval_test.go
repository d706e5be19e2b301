package schedule_test

import (
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func TestIntervals(t *testing.T) {
	for text, want := range map[string]time.Duration{ // 0 for an error
		"30s": 30 * time.Second, "5m": 5 * time.Minute, "2h": 2 * time.Hour, "1h30m": 90 * time.Minute,
		"every 5m": 5 * time.Minute, " Every  1H30M ": 90 * time.Minute, "1h2m3s": time.Hour + 2*time.Minute + 3*time.Second,
		"90m": 90 * time.Minute, "1s": time.Second,
		"": 0, "5": 0, "every": 0, "every5m": 0, "every every 5m": 0, "5 m": 0, "-5m": 0, "1.5h": 0, "30m1h": 0, "0s": 0, "1d": 0,
		"5m5m": 0, "99999h": 0, "9999999s": 0, "five minutes": 0, "5min": 0, "٣m": 0,
	} {
		got, err := schedule.ParseInterval(text)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("ParseInterval(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func FuzzParseInterval(f *testing.F) {
	f.Add("every 1h30m")
	f.Add("999999h999999m999999s")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := schedule.ParseInterval(text)
		if err == nil && (d < time.Second || d > 366*24*time.Hour) {
			t.Errorf("ParseInterval(%q) = %v", text, d)
		}
	})
}

func TestAnswersThatDifferInTimesOnlyAreTheSame(t *testing.T) {
	for _, same := range [][2]string{
		{"Checked at 10:42:07, all green", "checked at 11:43:09, all  GREEN"},
		{"Nothing since 2026-03-01T10:00:00Z.", "Nothing since 2026-03-02T11:30:00Z."},
		{"idle for 5 minutes", "idle for 1 hour and 20 minutes"},
		{"took 1.25s", "took 340ms"},
		{"As of Monday, March 3, 2026 nothing", "As of Tuesday, March 4, 2026 nothing"},
		{"up 3h20m5s", "up 3h25m5s"},
		{"at 5pm", "at 6 pm"},
		{"12.03.2026: ok", "13.03.2026: ok"},
	} {
		if schedule.Digest(same[0]) != schedule.Digest(same[1]) {
			t.Errorf("%q and %q are not the same", same[0], same[1])
		}
	}
	for _, different := range [][2]string{
		{"3 tests fail", "4 tests fail"},
		{"build 1042 green", "build 1043 green"},
		{"version 1.2.3", "version 1.2.4"},
		{"all green", "all red"},
		{"", "nothing"},
	} {
		if schedule.Digest(different[0]) == schedule.Digest(different[1]) {
			t.Errorf("%q and %q are the same", different[0], different[1])
		}
	}
}
