package schedule_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/holdfast-go/holdfast/runtime/schedule"
)

func Example() {
	dir, err := os.MkdirTemp("", "schedules")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := schedule.NewFiles(dir)
	if err != nil {
		fmt.Println(err)
		return
	}

	done := make(chan struct{})
	engine, err := schedule.New(schedule.Options{
		Store: store,
		Local: schedule.DriverFunc(func(_ context.Context, tick schedule.Tick) (schedule.Answer, error) {
			fmt.Printf("turn %d of %s: %s\n", tick.Number, tick.Session, tick.Prompt)
			return schedule.Answer{Text: "The build is green.\nLOOP_COMPLETE"}, nil
		}),
		Changed: func(string) {
			select {
			case done <- struct{}{}:
			default: // nobody waits for Create
			}
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close(context.Background())

	every, err := schedule.ParseInterval("every 5m")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.Create(context.Background(), "s1", schedule.Spec{
		Kind: schedule.Loop, Every: every, Prompt: "look at the build",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-done
	all, err := engine.Schedules(context.Background(), "s1")
	fmt.Println(all[0].Status, "-", all[0].Reason, err)
	// Output:
	// turn 1 of s1: look at the build
	// done - its answer says so <nil>
}

func ExampleParseInterval() {
	for _, text := range []string{"every 1h30m", "30s", "5"} {
		fmt.Println(schedule.ParseInterval(text))
	}
	// Output:
	// 1h30m0s <nil>
	// 30s <nil>
	// 0s "5" is not an interval: want one like 30s, 5m, 2h or 1h30m
}
