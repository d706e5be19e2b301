// Holdfast checks that what a Go program starts dies with it, and that what its
// event loop runs never blocks.
//
// It is a vet tool (go vet -vettool=$(which holdfast) ./...) and a command with
// subcommands; "holdfast help" lists them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/baselinecmd"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/companion"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/explain"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/suite"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/unit"
)

const usage = `usage: holdfast COMMAND [arguments]

What your program starts dies with it. What its loop runs never blocks.

commands:
  check     judge packages, on several platforms at once
  baseline  list, add or prune accepted findings
  explain   say what a rule is about and how to repair or accept a finding
  version   print the version
  help      print this, or the flags of a command: holdfast help check

As a vet tool: go vet -vettool=$(which holdfast) ./...
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if unit.IsInvocation(args) {
		return unit.Main(args, suite.Rules(), stdout, stderr)
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
		return check.Command{Suite: judged(), Version: version()}.Run(ctx, rest, stdout, stderr)
	case "baseline":
		return baseline().Run(ctx, rest, stdout, stderr)
	case "explain":
		return explain.Run(rest, stdout, stderr)
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, "holdfast", version())
		return 0
	case "help", "-h", "-help", "--help":
		if len(rest) > 0 {
			return run([]string{rest[0], "-help"}, stdout, stderr)
		}
		fmt.Fprint(stdout, usage)
		return 0
	}
	fmt.Fprintf(stderr, "holdfast: unknown command %q\n\n%s", command, usage)
	return 2
}

// baseline is the command that changes the ratchet's file.
func baseline() baselinecmd.Command {
	settings := check.NewSettings(judged())
	return baselinecmd.Command{
		Flags: func(flags *flag.FlagSet) { settings.Register(flags) },
		Judge: func(ctx context.Context, dir string, patterns []string) (baselinecmd.Judged, error) {
			judgement, err := settings.Judge(ctx, dir, patterns, nil)
			if err == nil {
				err = judgement.Err()
			}
			if err != nil {
				return baselinecmd.Judged{}, err
			}
			return baselinecmd.Judged{Findings: judgement.Findings, Scope: judgement.Scope()}, nil
		},
	}
}

// judged is what check and baseline run.
func judged() check.Suite {
	return check.Suite{Rules: suite.Rules(), With: companion.Find}
}

// version is the module's version as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
