// Package doctor says what a restart left behind: holdfast doctor.
package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/ledger"
)

const usage = `usage: holdfast doctor [flags]
       holdfast doctor [flags] -- COMMAND [ARGUMENTS]
       holdfast doctor [flags] snapshot FILE
       holdfast doctor [flags] compare FILE

Alone it says how children are held on this machine, and why not better.

With a command, which restarts something, it looks at all processes and listening
ports before and after, and says what is left of what ran before, who started
it, and which ports it still holds:

    holdfast doctor -- systemctl restart gateway

snapshot and compare are the two halves, for a restart that is done by hand.

A process is left behind if it ran before and has lost its parent since, or is
below one that has, or if the ledger proves that its owner is dead.

exit codes: 0 nothing is left behind; 1 something is; 2 it could not be judged,
because the command failed for instance
`

// The exit codes of the command.
const (
	exitNothing = 0
	exitLeft    = 1
	exitTrouble = 2
)

// A doctor is one use of the command.
type doctor struct {
	wait           time.Duration
	asJSON, all    bool
	ledger         string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// Run runs "holdfast doctor" and returns its exit code. The command that it
// runs gets stdin, and its output goes to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	d := doctor{stdin: stdin, stdout: stdout, stderr: stderr}
	act, err := d.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return exitNothing
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: doctor: %v\n\n%s", err, usage)
		return exitTrouble
	}
	code, err := act(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: doctor: %v\n", err)
	}
	return code
}

// parse returns what there is to do.
func (d *doctor) parse(args []string) (act func(context.Context) (int, error), err error) {
	var command []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, command = args[:i], args[i+1:]
		if len(command) == 0 {
			return nil, errors.New("no command after --")
		}
	}
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.DurationVar(&d.wait, "wait", 5*time.Second, "how long what ran before may take to end")
	flags.BoolVar(&d.asJSON, "json", false, "print JSON")
	flags.BoolVar(&d.all, "all", false, "also print the ports that are held as before and the processes that started")
	flags.StringVar(&d.ledger, "ledger", "", "the `directory` of the ledger (default $"+ledger.DirVariable+" or that of the user)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(d.stdout, usage+"\nflags:\n")
			flags.SetOutput(d.stdout)
			flags.PrintDefaults()
		}
		return nil, err
	}
	return d.choose(flags.Args(), command)
}

func (d *doctor) choose(args, command []string) (func(context.Context) (int, error), error) {
	switch {
	case len(args) == 0 && command == nil:
		return d.examine, nil
	case len(args) == 0:
		return func(ctx context.Context) (int, error) { return d.around(ctx, command) }, nil
	case command != nil:
		return nil, fmt.Errorf("unexpected argument %q before --", args[0])
	case args[0] != "snapshot" && args[0] != "compare":
		return nil, fmt.Errorf("unexpected argument %q; a command comes after --", args[0])
	case len(args) != 2:
		return nil, fmt.Errorf("%s wants the name of one file", args[0])
	case args[0] == "snapshot":
		return func(context.Context) (int, error) { return d.snapshot(args[1]) }, nil
	}
	return func(ctx context.Context) (int, error) { return d.compareFile(ctx, args[1]) }, nil
}

// around compares before and after a command.
func (d *doctor) around(ctx context.Context, command []string) (int, error) {
	before, err := machine.Take()
	if err != nil {
		return exitTrouble, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.stdin, d.stderr, d.stderr
	// A server that the command leaves running may hold its output for ever.
	cmd.WaitDelay = time.Second
	failed := cmd.Run()
	if errors.Is(failed, exec.ErrWaitDelay) {
		failed = nil
	}
	code, err := d.compare(ctx, before)
	if failed != nil {
		return exitTrouble, errors.Join(err, fmt.Errorf("the command failed: %w", failed))
	}
	return code, err
}

// snapshot writes one to a file, which only the user may read: command lines
// have secrets in them. It does not overwrite anything else.
func (d *doctor) snapshot(file string) (int, error) {
	taken, err := machine.Take()
	if err != nil {
		return exitTrouble, err
	}
	text, err := json.Marshal(taken)
	if err != nil {
		return exitTrouble, err
	}
	if _, err := readSnapshot(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return exitTrouble, fmt.Errorf("this file is not overwritten: %w", err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return exitTrouble, fmt.Errorf("writing the snapshot: %w", err)
	}
	fmt.Fprintf(d.stderr, "%d processes noted; after the restart: holdfast doctor compare %s\n", len(taken.Processes), file)
	return exitNothing, nil
}

func (d *doctor) compareFile(ctx context.Context, file string) (int, error) {
	before, err := readSnapshot(file)
	if err != nil {
		return exitTrouble, err
	}
	return d.compare(ctx, before)
}

func readSnapshot(file string) (machine.Snapshot, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return machine.Snapshot{}, fmt.Errorf("reading the snapshot: %w", err)
	}
	var s machine.Snapshot
	if err := json.Unmarshal(text, &s); err != nil {
		return machine.Snapshot{}, fmt.Errorf("reading the snapshot %s: %w", file, err)
	}
	if len(s.Processes) == 0 {
		return machine.Snapshot{}, fmt.Errorf("reading the snapshot %s: it has no processes", file)
	}
	return s, nil
}
