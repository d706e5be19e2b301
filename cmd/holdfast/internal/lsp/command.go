// Package lsp is "holdfast lsp": what the suite finds, shown in an editor while
// one types.
//
// Alone it is a language server to run beside gopls. With -wrap it starts
// another server, mostly gopls, and passes on everything between that and the
// editor; see package proxy.
package lsp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/check"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/proxy"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/lsp/server"
)

const usage = `usage: holdfast lsp [flags] [-wrap SERVER [arguments]]

Shows findings in an editor while one types: a language server on standard input
and output. With -wrap, which takes the rest of the line, it runs SERVER (such as
gopls) and adds to what that says, for editors that take one server a language.

exit code: 0 after a shutdown request; 1 if the editor went away without one;
2 if the server could not run or what it reads is not the protocol; with -wrap,
otherwise that of SERVER

flags:
`

// A Command is "holdfast lsp".
type Command struct {
	Suite   func() check.Suite // makes a suite with flags of its own
	Version string
}

// Run carries out the command until the editor ends it or ctx is done, and
// returns its exit code.
func (c Command) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	args, wrapped := split(args)
	flags := flag.NewFlagSet("lsp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	check.NewSettings(c.Suite()).Register(flags)
	flags.String("wrap", "", "`server` to run, and all that follows its arguments")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case err == nil && wrapped != nil && len(wrapped) == 0:
		err = errors.New("-wrap needs the name of a server, such as gopls")
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: lsp: %v\n", err)
		return 2
	}
	settings := func() (*check.Settings, error) { return c.settings(args) }
	if wrapped != nil {
		return proxy.Proxy{Settings: settings, Command: wrapped}.Run(ctx, stdin, stdout, stderr)
	}
	err = server.Server{Settings: settings, Version: c.Version}.Serve(ctx, stdin, stdout)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "holdfast: lsp: %v\n", err)
	if errors.Is(err, server.ErrNoShutdown) {
		return 1
	}
	return 2
}

// split takes apart our arguments and the command behind -wrap, which is nil if
// there is no such flag.
func split(args []string) (ours, wrapped []string) {
	at := slices.IndexFunc(args, func(arg string) bool { return arg == "-wrap" || arg == "--wrap" })
	if at < 0 {
		return args, nil
	}
	return args[:at], slices.Clip(args[at+1:])
}

// settings returns the settings of one module: this platform's view, unless a
// flag says otherwise, and what only an editor has a use for.
func (c Command) settings(args []string) (*check.Settings, error) {
	suite := c.Suite()
	judge := suite.Excluded
	suite.Excluded = func(dir string, files []string) ([]*finding.Finding, error) {
		found, err := judge(dir, files)
		if err != nil {
			return nil, nil // unsaved text need not parse, and the editor's other server says so
		}
		return found, nil
	}
	settings := check.NewSettings(suite)
	settings.Native()
	flags := flag.NewFlagSet("lsp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	settings.Register(flags)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	return settings, settings.Set("loopblock.entries", "true")
}
