package cron_test

import (
	"fmt"
	"time"

	"github.com/holdfast-go/holdfast/runtime/schedule/cron"
)

func ExampleParse() {
	calendar, err := cron.Parse("CRON_TZ=UTC 0 9 * * 1-5")
	if err != nil {
		fmt.Println(err)
		return
	}
	friday := time.Date(2026, 3, 27, 10, 0, 0, 0, time.UTC)
	fmt.Println(calendar.Next(friday).Format(time.RFC1123))
	// Output: Mon, 30 Mar 2026 09:00:00 UTC
}
