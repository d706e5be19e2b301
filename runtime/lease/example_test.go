package lease_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/holdfast-go/holdfast/runtime/lease"
)

func Example() {
	dir, err := os.MkdirTemp("", "leases")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	leases, err := lease.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := leases.Acquire(ctx, "chat", lease.Exclusive); err != nil {
		fmt.Println(err)
		return
	}
	defer leases.Release(ctx, "chat")

	for _, l := range leases.Of("chat") {
		fmt.Println(l.Session, "is held by this process:", l.Holder.PID == os.Getpid())
	}
	err = leases.Acquire(ctx, "chat", lease.Shared)
	fmt.Println("a second time:", errors.Is(err, lease.ErrHeld))
	// Output:
	// chat is held by this process: true
	// a second time: true
}
