package session_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/holdfast-go/holdfast/runtime/session"
)

func Example() {
	closed := make(chan session.Closing)
	sessions, err := session.New(session.Options{
		Grace: time.Second,
		Hooks: []session.Hook{{
			Name:  "tell",
			Bound: time.Second,
			Run: func(_ context.Context, c session.Closing) error {
				closed <- c
				return nil
			},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sessions.Shutdown(context.Background())

	if err := sessions.Add("s1"); err != nil {
		fmt.Println(err)
	}
	client, err := sessions.Connect("s1")
	if err != nil {
		fmt.Println(err)
	}
	client.Drop()

	c := <-closed
	fmt.Printf("%s: %s, %v\n", c.Session, c.Reason, c.Code)
	// Output: s1: its client did not come back, 4007 retired
}

func ExampleRegistry_Explain() {
	sessions, err := session.New(session.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sessions.Shutdown(context.Background())

	sessions.Add("s1")
	client, _ := sessions.Connect("s1")
	release, _ := sessions.Hold("s1", session.Background)
	defer release()
	explanation, _ := sessions.Explain(context.Background(), "s1")
	fmt.Println(explanation)
	client.Drop()
	// Output: s1 is attached: a client is connected; it has work: background process; no reaper would take it
}

func ExampleRefusedError() {
	err := error(&session.RefusedError{Session: "s1", Code: session.Interrupted})
	if refused, ok := errors.AsType[*session.RefusedError](err); ok {
		fmt.Println("close the socket with", int(refused.Code))
	}
	// Output: close the socket with 4009
}
