// A program for an image that has nothing but it. It owns a family of itself,
// and each of the family writes its PID to the file /roll.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

func main() {
	owned.Hook()
	switch os.Args[1] {
	case "own":
		own(os.Args[2])
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
	case "family":
		must(itself("obedient").Start())
	case "obedient":
	}
	answer()
	time.Sleep(time.Hour)
}

// own starts the family in the tier with the given number.
func own(number string) {
	tier, err := strconv.Atoi(number)
	must(err)
	o := owned.New(owned.AtMost(owned.Tier(tier)), owned.OwnerGrace(300*time.Millisecond))
	for _, role := range []string{"obedient", "deaf", "family"} {
		_, err := o.Start(itself(role))
		must(err)
	}
	fmt.Println(o.Containment().Tier)
	time.Sleep(time.Hour)
}

func itself(role string) *exec.Cmd { return exec.Command("/program", role) }

func answer() {
	roll, err := os.OpenFile("/roll", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	fmt.Fprintln(roll, os.Getpid())
	must(roll.Close())
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
