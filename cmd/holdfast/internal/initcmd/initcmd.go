// Package initcmd is "holdfast init": it sets a module up to be checked, at
// every commit, in CI and by everybody on the team with the same version.
//
// It shows what it would do as a diff and overwrites nothing. A file of its own
// that exists is left alone; one that it shares with others (go.mod,
// .pre-commit-config.yaml) gets lines added, or is left alone if that cannot be
// done without touching what is there. Then it prints the lines.
package initcmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/baselinecmd"
)

// A Command is "holdfast init".
type Command struct {
	// Version is that of this program: a release is what the module will use.
	Version string
	// Judge runs the analyzers, for a first baseline.
	Judge baselinecmd.Judge
	// Flags adds the flags that decide what Judge does. It may be nil.
	Flags func(*flag.FlagSet)
	// Confirm asks a person whether to go ahead. Without one to ask, asked is
	// false. Nil asks on the terminal, if standard input is one.
	Confirm func(question string) (yes, asked bool)
	// Dir is the working directory; empty is that of the process.
	Dir string
}

// The exit codes of the command.
const (
	exitOK      = 0 // also where nothing was to be done, or a person said no
	exitTrouble = 2
)

const usage = `usage: holdfast init [-write] [-baseline -reason "REASON"] [flags]

Prepares a module for holdfast: a tool line in go.mod, a workflow for GitHub
Actions, a hook in .pre-commit-config.yaml, and with -baseline a first baseline
that accepts what is found today. Prints the changes as a diff and asks before it
makes them; where nobody can be asked, only -write makes them. It overwrites
nothing: what cannot be added safely is printed instead.

flags:
`

type options struct {
	write    bool
	baseline bool
	reason   string
}

// Run carries out the command and returns its exit code: 0, or 2 if it could not
// do what was asked; then nothing, or not everything, was written.
func (c Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var opts options
	flags := flag.NewFlagSet("init", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&opts.write, "write", false, "make the changes without asking")
	flags.BoolVar(&opts.baseline, "baseline", false, "accept what is found today in a first baseline; needs -reason")
	flags.StringVar(&opts.reason, "reason", "", "why all of that is accepted")
	if c.Flags != nil {
		c.Flags(flags)
	}
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return exitOK
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err == nil {
		err = c.run(ctx, opts, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: init: %v\n", err)
		return exitTrouble
	}
	return exitOK
}

func (c Command) run(ctx context.Context, opts options, stdout, stderr io.Writer) error {
	if err := opts.check(); err != nil {
		return err
	}
	p, err := findProject(ctx, c.Dir)
	if err != nil {
		return err
	}
	proposals, err := c.propose(ctx, p, opts)
	if err != nil {
		return err
	}
	changes := 0
	for _, proposal := range proposals {
		fmt.Fprint(stdout, proposal.text(p))
		if proposal.isChange() {
			changes++
		}
	}
	switch {
	case changes == 0:
		fmt.Fprintln(stderr, "holdfast: there is nothing to change")
		return nil
	case !opts.write && !c.agreed(changes, stderr):
		return nil
	}
	for _, proposal := range proposals {
		if err := proposal.carryOut(p); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "holdfast: wrote %s; the next step is: holdfast check\n", count(changes, "file"))
	return nil
}

// propose returns what is to be done. The tool line comes first, as it tells
// which version there is.
func (c Command) propose(ctx context.Context, p *project, opts options) ([]proposal, error) {
	tools, err := p.proposeTool(ctx, c.Version)
	if err != nil {
		return nil, err
	}
	all := tools
	for _, propose := range []func() (proposal, error){p.proposeWorkflow, p.proposeHook} {
		proposal, err := propose()
		if err != nil {
			return nil, err
		}
		all = append(all, proposal)
	}
	if !opts.baseline {
		return all, nil
	}
	baseline, err := c.proposeBaseline(ctx, p, opts.reason)
	return append(all, baseline), err
}

// agreed asks whether to go ahead.
func (c Command) agreed(changes int, stderr io.Writer) bool {
	confirm := c.Confirm
	if confirm == nil {
		confirm = func(question string) (bool, bool) { return askTerminal(stderr, question) }
	}
	yes, asked := confirm(fmt.Sprintf("holdfast: write %s? [y/N] ", count(changes, "file")))
	if !asked {
		fmt.Fprintln(stderr, "holdfast: nothing was written; -write does")
	} else if !yes {
		fmt.Fprintln(stderr, "holdfast: nothing was written")
	}
	return yes
}

// askTerminal waits for a line on standard input, if that is a terminal.
func askTerminal(stderr io.Writer, question string) (yes, asked bool) {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || isNull(info) {
		return false, false
	}
	fmt.Fprint(stderr, question)
	var answer string
	fmt.Fscanln(os.Stdin, &answer) // no answer is a no
	return answer == "y" || answer == "Y" || answer == "yes", true
}

// isNull reports whether a device is the null device, which is no terminal.
func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(null, info)
}

// inDir returns the absolute path of a folder.
func inDir(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	return path, nil
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
