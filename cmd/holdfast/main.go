// Holdfast checks that what a Go program starts dies with it, and that what its
// event loop runs never blocks.
//
// It is a vet tool (go vet -vettool=$(which holdfast) ./...) and a command with
// subcommands; "holdfast help" lists them.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/baselinecmd"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/companion"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/doctor"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/explain"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/initcmd"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/locks"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ps"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/run"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/suite"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/sweep"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

const usage = `usage: holdfast COMMAND [arguments]

What your program starts dies with it. What its loop runs never blocks.

commands:
  check     judge packages, on several platforms at once
  baseline  list, add or prune accepted findings
  init      prepare a module: tool line, CI workflow, pre-commit hook, first baseline
  lsp       show findings in an editor while you type
  explain   say what a rule is about and how to repair or accept a finding
  run       run a command that dies with this process, with all it starts
  ps        print who started what
  sweep     show, and end, what dead owners left behind
  locks     say which process holds the lock of a SQLite database
  doctor    say what a restart left behind, and how children are held here
  version   print the version
  help      print this, or the flags of a command: holdfast help check

As a vet tool: go vet -vettool=$(which holdfast) ./...
`

func main() {
	p := program{
		suite: func() check.Suite {
			return check.Suite{Rules: suite.Rules(), Excluded: suite.Excluded, With: companion.Find}
		},
		version: version(),
	}
	os.Exit(p.run(os.Args[1:], os.Stdout, os.Stderr))
}

// A program is holdfast with a suite of analyzers.
type program struct {
	suite   func() check.Suite // makes one with flags of its own
	version string
}

func (p program) run(args []string, stdout, stderr io.Writer) int {
	if unit.IsInvocation(args) {
		return p.unit(args, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "run" {
		return run.Run(args[1:], stdout, stderr) // It catches signals in its own way.
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return 2
	}
	command, rest := args[0], args[1:]
	switch command {
	case "check":
		return check.Command{Suite: p.suite(), Version: p.version}.Run(ctx, rest, stdout, stderr)
	case "baseline":
		return p.baseline().Run(ctx, rest, stdout, stderr)
	case "init":
		return p.initCommand().Run(ctx, rest, stdout, stderr)
	case "lsp":
		return lsp.Command{Suite: p.suite, Version: p.version}.Run(ctx, rest, os.Stdin, stdout, stderr)
	case "explain":
		return explain.Run(rest, stdout, stderr)
	case "ps":
		return ps.Run(rest, stdout, stderr)
	case "sweep":
		return sweep.Run(ctx, rest, os.Stdin, stdout, stderr)
	case "locks":
		return locks.Run(ctx, rest, stdout, stderr)
	case "doctor":
		return doctor.Run(ctx, rest, os.Stdin, stdout, stderr)
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, "holdfast", p.version)
		return 0
	case "help", "-h", "-help", "--help":
		return p.help(rest, stdout, stderr)
	}
	fmt.Fprintf(stderr, "holdfast: unknown command %q\n\n%s", command, usage)
	return 2
}

// unit is the program as a vet tool. If -with asks for analyzers that another
// program has, and that lies beside this one, it takes over.
func (p program) unit(args []string, stdout, stderr io.Writer) int {
	tool := unit.Tool{Rules: p.suite().Rules}
	if path, ok := companion.Beside(); ok {
		if companion.Wanted(args) {
			return companion.Run(path, args, stdout, stderr)
		}
		tool.Companion = path
	}
	return tool.Main(args, stdout, stderr)
}

func (p program) help(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] != "help" {
		return p.run([]string{args[0], "-help"}, stdout, stderr)
	}
	fmt.Fprint(stdout, usage)
	return 0
}

// baseline is the command that changes the ratchet's file.
func (p program) baseline() baselinecmd.Command {
	settings := check.NewSettings(p.suite())
	return baselinecmd.Command{Flags: settings.Register, Judge: judge(settings)}
}

// initCommand is the command that prepares a module.
func (p program) initCommand() initcmd.Command {
	settings := check.NewSettings(p.suite())
	return initcmd.Command{Version: p.version, Flags: settings.Register, Judge: judge(settings)}
}

// judge runs the suite for those who can do nothing with a judgement of a part.
func judge(settings *check.Settings) baselinecmd.Judge {
	return func(ctx context.Context, dir string, patterns []string) (baselinecmd.Judged, error) {
		judgement, err := settings.Judge(ctx, dir, patterns, nil)
		if err == nil {
			err = judgement.Err()
		}
		if err != nil {
			return baselinecmd.Judged{}, err
		}
		return baselinecmd.Judged{Findings: judgement.Findings, Scope: judgement.Scope()}, nil
	}
}

// version is the module's version as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
