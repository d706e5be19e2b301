package warmup_test

import (
	"context"
	"fmt"

	"github.com/holdfast-go/holdfast/runtime/warmup"
)

func Example() {
	servers := []string{"files", "search"}
	discover := func(context.Context) error {
		fmt.Println("asking", len(servers), "servers for their tools")
		return nil
	}
	ctx := context.Background()
	tools := warmup.Arm(ctx, discover, warmup.Options{
		Configured: func() bool { return len(servers) > 0 },
		Retry:      true,
	})
	defer tools.Stop()

	fmt.Println("listening")
	tools.Trigger() // the first client has connected
	tools.Trigger() // and a second one
	if err := tools.Wait(ctx); err != nil {
		fmt.Println("building the agent without tools:", err)
	}
	// Output:
	// listening
	// asking 2 servers for their tools
}
