// Package sweep ends what dead owners left: holdfast sweep.
package sweep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
)

const usage = `usage: holdfast sweep [-kill [-yes] [-grace DURATION]] [-json] [-ledger DIR]

Prints the processes that dead owners left behind, with the evidence, and ends
nothing. With -kill it asks, and then ends those that are proven to be left
behind: SIGTERM first, SIGKILL after the grace.

It never touches a child of a living owner, one that is kept with a reason, or
what it cannot prove to be an owner's.

exit codes: 0 nothing is left behind; 1 something is; 2 it could not be judged
`

// The exit codes of the command.
const (
	exitNothing = 0
	exitLeft    = 1
	exitTrouble = 2
)

// A command is one use of "holdfast sweep".
type command struct {
	kill, yes, asJSON bool
	grace             time.Duration
	dir               string
	stdin             io.Reader
	stdout, stderr    io.Writer
}

// Run runs "holdfast sweep" and returns its exit code. It reads stdin only for
// the answer to the question of -kill.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := command{stdin: stdin, stdout: stdout, stderr: stderr}
	help, err := c.parse(args)
	if help {
		return exitNothing
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: sweep: %v\n\n%s", err, usage)
		return exitTrouble
	}
	code, err := c.run(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: sweep: %v\n", err)
	}
	return code
}

func (c *command) parse(args []string) (help bool, err error) {
	flags := flag.NewFlagSet("sweep", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&c.kill, "kill", false, "end what is proven to be left behind")
	flags.BoolVar(&c.yes, "yes", false, "do not ask")
	flags.BoolVar(&c.asJSON, "json", false, "print JSON")
	flags.DurationVar(&c.grace, "grace", owned.DefaultGrace, "how long a process may take to end before it is killed")
	flags.StringVar(&c.dir, "ledger", "", "the `directory` of the ledger (default $"+ledger.DirVariable+" or that of the user)")
	err = flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.stdout, usage+"\nflags:\n")
		flags.SetOutput(c.stdout)
		flags.PrintDefaults()
		return true, nil
	case err != nil:
		return false, err
	case flags.NArg() > 0:
		return false, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case c.yes && !c.kill:
		return false, errors.New("-yes is for -kill")
	case c.grace < 0:
		return false, errors.New("the grace is negative")
	}
	return false, nil
}

func (c *command) run(ctx context.Context) (code int, err error) {
	if err := c.reportProblems(); err != nil {
		return exitTrouble, err
	}
	orphans, err := owned.Orphans(ctx, c.dir)
	if err != nil {
		return exitTrouble, err
	}
	if err := c.show(orphans); err != nil {
		return exitTrouble, fmt.Errorf("writing: %w", err)
	}
	proven := provenOf(orphans)
	switch {
	case len(proven) == 0:
		return exitNothing, c.forget(ctx)
	case !c.kill:
		fmt.Fprintln(c.stderr, "Nothing was ended. holdfast sweep -kill ends what is proven.")
		return exitLeft, nil
	case !c.yes && !c.ask(len(proven)):
		fmt.Fprintln(c.stderr, "Nothing was ended.")
		return exitLeft, nil
	}
	return c.end(ctx, proven)
}

// reportProblems says which files of the ledger could not be read or believed:
// what they would have proven is missing.
func (c *command) reportProblems() error {
	records, err := ledger.Read(c.dir)
	for _, r := range records {
		for _, problem := range r.Problems {
			fmt.Fprintf(c.stderr, "holdfast: sweep: %s: %s\n", r.File, problem)
		}
	}
	return err
}

func (c *command) show(orphans []owned.Orphan) error {
	if !c.asJSON {
		return writeText(c.stdout, orphans)
	}
	encoder := json.NewEncoder(c.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report(orphans))
}

// ask asks on stderr, since stdout may be a pipe. Anything but yes is no.
func (c *command) ask(n int) bool {
	fmt.Fprintf(c.stderr, "End %s? [y/N] ", count(n))
	answer, _ := bufio.NewReader(c.stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
