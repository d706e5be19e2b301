// Package baselinecmd is the command line of the ratchet:
// holdfast baseline list, add and prune.
package baselinecmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// A Command runs "holdfast baseline".
type Command struct {
	// Judge runs the analyzers; list does without.
	Judge Judge
	// Flags adds the flags that decide what Judge does (platforms, tags,
	// rules) to those of add and prune. It may be nil.
	Flags func(*flag.FlagSet)
	// Dir is the working directory; empty is that of the process.
	Dir string
}

// A Judge runs the analyzers on the packages that match patterns in dir. It
// returns an error if there is a package that it could not judge.
type Judge func(ctx context.Context, dir string, patterns []string) (Judged, error)

// Judged is what a run of the analyzers found.
type Judged struct {
	Findings []*finding.Finding
	Scope    ratchet.Scope
}

// The exit codes of the command; it has no findings of its own.
const (
	exitOK      = 0
	exitTrouble = 2 // bad usage, an invalid baseline, or packages that could not be judged
)

const usage = `usage: holdfast baseline list [-baseline FILE]
       holdfast baseline add -reason "REASON" [-rule RULE] [-baseline FILE] FILE:LINE[:COL]
       holdfast baseline prune [-baseline FILE] [PACKAGES]

The baseline lists accepted findings; without -baseline it is
` + ratchet.DefaultFile + ` below the root of the module or workspace.

list   prints the entries
add    accepts the one finding at FILE:LINE; a marker in the source is the better way
prune  deletes the entries that accept nothing any more, and does nothing else;
       without PACKAGES it looks at the whole module or workspace

"holdfast explain ratchet" says more.
`

// Run runs the subcommand that args name and returns its exit code: 0, or 2 if
// it could not do what was asked. It changes the baseline as a whole or not at all.
func (c Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitTrouble
	}
	commands := map[string]func(context.Context, *invocation) error{
		"list": c.list, "add": c.add, "prune": c.prune,
	}
	run, known := commands[args[0]]
	switch {
	case args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		fmt.Fprint(stdout, usage)
		return exitOK
	case !known:
		fmt.Fprintf(stderr, "holdfast: baseline has no command %q\n\n%s", args[0], usage)
		return exitTrouble
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: finding the working directory: %v\n", err)
		return exitTrouble
	}
	inv := &invocation{dir: dir, stdout: stdout, stderr: stderr}
	help, err := c.parse(inv, args)
	if help {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: baseline %s: %v\n\n%s", args[0], err, usage)
		return exitTrouble
	}
	if err := run(ctx, inv); err != nil {
		fmt.Fprintf(stderr, "holdfast: baseline %s: %v\n", args[0], err)
		return exitTrouble
	}
	return exitOK
}

// An invocation is one use of the command.
type invocation struct {
	dir            string
	baseline       string // as given
	reason, rule   string
	args           []string
	stdout, stderr io.Writer
}

// parse reads flags, which may stand before and after other arguments.
func (c Command) parse(inv *invocation, args []string) (help bool, err error) {
	flags := flag.NewFlagSet("baseline "+args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&inv.baseline, "baseline", "", "the baseline's `file`")
	if args[0] == "add" {
		flags.StringVar(&inv.reason, "reason", "", "why the finding is accepted")
		flags.StringVar(&inv.rule, "rule", "", "the finding's `rule`, if its line has several")
	}
	if args[0] != "list" && c.Flags != nil {
		c.Flags(flags)
	}
	for rest := args[1:]; ; rest = flags.Args()[1:] {
		err := flags.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(inv.stdout, usage+"\nflags:\n")
			flags.SetOutput(inv.stdout)
			flags.PrintDefaults()
			return true, nil
		}
		if err != nil || flags.NArg() == 0 {
			return false, err
		}
		inv.args = append(inv.args, flags.Arg(0))
	}
}

// file returns the path of the baseline; root is where the default lies.
func (inv *invocation) file(root string) string {
	switch {
	case inv.baseline == "":
		return filepath.Join(root, filepath.FromSlash(ratchet.DefaultFile))
	case filepath.IsAbs(inv.baseline):
		return inv.baseline
	}
	return filepath.Join(inv.dir, inv.baseline)
}

// show returns a path as a person in the working directory would write it.
func (inv *invocation) show(path string) string {
	if rel, err := filepath.Rel(inv.dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// list prints the baseline as it would be written.
func (c Command) list(ctx context.Context, inv *invocation) error {
	if len(inv.args) > 0 {
		return fmt.Errorf("unexpected argument %q", inv.args[0])
	}
	root, err := ratchet.Root(ctx, inv.dir)
	if err != nil && inv.baseline == "" {
		return err
	}
	path := inv.file(root)
	entries, err := ratchet.Load(path)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		fmt.Fprintf(inv.stderr, "holdfast: no exceptions in %s\n", inv.show(path))
	}
	_, err = inv.stdout.Write(ratchet.Format(entries))
	return err
}
