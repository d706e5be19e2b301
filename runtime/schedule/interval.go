package schedule

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

const (
	// Floor is the shortest interval of a loop. A shorter one is raised to it.
	Floor = 30 * time.Second
	// HeartbeatFloor is the shortest interval of a heartbeat. A shorter one is
	// refused, because whoever counts on a heartbeat counts on its interval.
	HeartbeatFloor = 60 * time.Second
	// SelfPacedFloor and SelfPacedCap bound the interval that a self-paced loop
	// chooses.
	SelfPacedFloor = 60 * time.Second
	SelfPacedCap   = 900 * time.Second
)

// longest is the longest interval that is taken for meant.
const longest = 366 * 24 * time.Hour

var interval = regexp.MustCompile(`^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$`)

// ParseInterval reads an interval such as 30s, 5m, 2h or 1h30m, with or without
// "every" before it. The units are h, m and s, each once at most and in this
// order. A number without a unit is none, for nobody can tell what it means.
func ParseInterval(text string) (time.Duration, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	if rest, ok := strings.CutPrefix(word, "every"); ok && rest != strings.TrimLeft(rest, " \t") {
		word = strings.TrimSpace(rest)
	}
	parts := interval.FindStringSubmatch(word)
	if word == "" || parts == nil {
		return 0, fmt.Errorf("%.50q is not an interval: want one like 30s, 5m, 2h or 1h30m", text)
	}
	var d time.Duration
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		d += number(parts[i+1]) * unit
	}
	switch {
	case d == 0:
		return 0, fmt.Errorf("%.50q is not an interval: it is zero", text)
	case d > longest:
		return 0, fmt.Errorf("%.50q is longer than a year", text)
	}
	return d, nil
}

// number reads up to six digits; none are 0.
func number(digits string) time.Duration {
	var n time.Duration
	for _, c := range digits {
		n = 10*n + time.Duration(c-'0')
	}
	return n
}
