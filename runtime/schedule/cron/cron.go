// Package cron reads cron expressions for the schedules of package schedule. It
// is a package of its own so that only programs that want them have the parser,
// [github.com/robfig/cron/v3], among their dependencies.
//
//	engine, err := schedule.New(schedule.Options{Calendar: cron.Parse, ...})
package cron

import (
	"fmt"

	robfig "github.com/robfig/cron/v3"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

// Parse reads an expression of five fields (minute, hour, day of month, month, day
// of week), a descriptor such as @daily, or @every with an interval, with or without
// "CRON_TZ=Zone" before it. Without a zone, times are those of time.Local. Whatever
// it says, ticks are at least [schedule.Floor] apart.
func Parse(expression string) (schedule.Calendar, error) {
	calendar, err := robfig.ParseStandard(expression)
	if err != nil {
		return nil, fmt.Errorf("reading a cron expression: %w", err)
	}
	return calendar, nil
}
