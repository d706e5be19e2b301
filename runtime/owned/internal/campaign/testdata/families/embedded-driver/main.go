// The driver of an embedded library: it runs its engine in a session of its own
// and gives it nothing of its environment.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	engine := exec.Command("/bin/sh", "-c", `echo $$ >>"$1"; exec sleep 1000`, "engine", os.Getenv("ROLL"))
	engine.Env = []string{"PATH=/usr/bin:/bin"}
	engine.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := engine.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	roll, err := os.OpenFile(os.Getenv("ROLL"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(roll, os.Getpid())
	roll.Close()
	engine.Wait()
}
