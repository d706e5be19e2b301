package loop_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/loop"
)

func Example() {
	events := loop.New(loop.WithName("greeter"))
	greeted := map[string]int{} // touched by callbacks only: no lock

	for _, name := range []string{"ann", "bob", "ann"} {
		_ = events.Post(func() { greeted[name]++ })
	}
	_ = events.Post(func() {
		fmt.Println(greeted)
		_ = events.Close(context.Background())
	})
	fmt.Println(events.Run(context.Background()))
	// Output:
	// map[ann:2 bob:1]
	// <nil>
}

func ExampleOffload() {
	events := loop.New()
	read := func(context.Context) (string, error) {
		return "what a slow disk had", nil // off the loop: may block
	}
	show := func(text string, err error) {
		fmt.Println(strings.ToUpper(text), err) // on the loop: must not
		_ = events.Close(context.Background())
	}
	if err := loop.Offload(events, read, show); err != nil {
		fmt.Println("too busy:", err)
	}
	_ = events.Run(context.Background())
	// Output: WHAT A SLOW DISK HAD <nil>
}
