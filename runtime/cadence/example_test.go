package cadence_test

import (
	"context"
	"fmt"
	"time"

	"github.com/holdfast-go/holdfast/runtime/cadence"
)

func Example() {
	c := cadence.New(cadence.Options{Jitter: 0.1})
	defer c.Close(context.Background())

	seen := make(chan struct{})
	pane, err := c.EveryHidden(15*time.Second, func(context.Context) {
		fmt.Println("asking for the article")
		close(seen)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pane.Visible(true) // the pane is opened: once now, then each 15 s
	<-seen
	pane.Visible(false) // covered: silent until it is seen again
	// Output: asking for the article
}
