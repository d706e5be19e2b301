// Package run owns any command from a shell: holdfast run.
package run

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

const usage = `usage: holdfast run [-grace D] [-name NAME] [-family FAMILY] [-v] [--] COMMAND [argument...]

Runs a command that dies with this process, and everything that the command
starts with it: when the command ends, when this process is signalled, and when
it is killed.

The command gets the streams of this process, the terminal if there is one, and
the signals that this process gets. Ctrl-Z stops both. In the background of a
terminal it reads nothing.

exit codes: that of the command, 128+n if signal n ended it; 127 if there is no
such command, 126 if it cannot be run; 125 if this command itself failed
`

// The exit codes of env(1), nohup(1) and timeout(1).
const (
	exitTrouble     = 125
	exitCannotRun   = 126
	exitNoCommand   = 127
	exitSignalShift = 128
)

// cleanup bounds the end of what the command left behind, beyond the grace.
const cleanup = 10 * time.Second

type command struct {
	grace        time.Duration
	name, family string
	verbose      bool
	arguments    []string
}

// Run runs "holdfast run" with the streams of this process, and returns its
// exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	c, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage+"\nflags:\n")
		flags, _ := c.flags()
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "holdfast: run: %v\n\n%s", err, usage)
		return exitTrouble
	}
	return c.run(stderr)
}

func (c *command) flags() (*flag.FlagSet, *command) {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.DurationVar(&c.grace, "grace", owned.DefaultGrace, "how `long` processes may take to end after SIGTERM")
	flags.StringVar(&c.name, "name", "", "what the command is called by holdfast ps (default its file name)")
	flags.StringVar(&c.family, "family", "", "what kind of process it is")
	flags.BoolVar(&c.verbose, "v", false, "say how the command is held, and why not better")
	return flags, c
}

func parse(args []string) (*command, error) {
	flags, c := new(command).flags()
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	if c.arguments = flags.Args(); len(c.arguments) == 0 {
		return c, errors.New("no command is given")
	}
	if c.grace <= 0 {
		return c, errors.New("-grace has to be above zero")
	}
	return c, nil
}

func (c *command) run(stderr io.Writer) int {
	owner := owned.New(owned.OwnerGrace(c.grace), owned.OnTrouble(func(err error) {
		fmt.Fprintf(stderr, "holdfast: run: if this process is killed, the command will go on: %v\n", err)
	}))
	if c.verbose {
		describe(stderr, owner.Containment())
	}
	cmd := exec.Command(c.arguments[0], c.arguments[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	options := c.options()
	switch {
	case owned.CanForeground(os.Stdin):
		options = append(options, owned.Foreground())
	case owned.IsTerminal(os.Stdin):
		cmd.Stdin = nil // In the background nobody types for it.
	}
	forwarded := catch()
	child, err := owner.Start(cmd, options...)
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: run: %v\n", err)
		return startCode(err)
	}
	go forwarded.to(child)
	err = child.Wait()
	code := exitCode(err)
	if code == exitTrouble {
		fmt.Fprintf(stderr, "holdfast: run: waiting: %v\n", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.grace+cleanup)
	defer cancel()
	if err := owner.Close(ctx); err != nil {
		fmt.Fprintf(stderr, "holdfast: run: ending what the command left: %v\n", err)
	}
	return code
}

func (c *command) options() []owned.Option {
	var options []owned.Option
	if c.name != "" {
		options = append(options, owned.Name(c.name))
	}
	if c.family != "" {
		options = append(options, owned.Family(c.family))
	}
	return options
}

func describe(w io.Writer, report owned.Report) {
	fmt.Fprintf(w, "holdfast: run: tier %v\n", report.Tier)
	for _, why := range report.Why {
		fmt.Fprintf(w, "holdfast: run: not %s\n", why)
	}
}

func startCode(err error) int {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return exitNoCommand
	case errors.Is(err, fs.ErrPermission):
		return exitCannotRun
	}
	return exitTrouble
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return codeOf(exit.ProcessState)
	case errors.Is(err, exec.ErrWaitDelay):
		return 0 // It ended well; a descendant held its output.
	}
	return exitTrouble
}
