package check

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/report"
)

const usage = `usage: holdfast check [flags] [packages]

Runs the suite on packages (default ./...) for several platforms, holds what it
finds against the baseline, and prints what is left.

exit code: 0 clean; 1 findings, stale entries or a baseline that grew;
2 something could not be judged

flags:
`

// A Command is "holdfast check".
type Command struct {
	Suite   Suite
	Dir     string // working directory; empty is that of the process
	Version string
}

// options are the flags that decide what is compared and shown.
type options struct {
	base     string
	baseline string
	format   string
	verbose  bool
	explain  bool
}

// Run carries out the command and returns its exit code.
func (c Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	settings := NewSettings(c.Suite)
	var opts options
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	settings.Register(flags)
	opts.register(flags)
	patterns, err := parseArgs(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return report.ExitClean
	}
	if err == nil {
		var code int
		if code, err = c.run(ctx, settings, opts, patterns, stdout, stderr); err == nil {
			return code
		}
	}
	fmt.Fprintf(stderr, "holdfast: check: %v\n", err)
	return report.ExitCouldNotJudge
}

func (o *options) register(flags *flag.FlagSet) {
	flags.StringVar(&o.base, "base", "", "fail if the baseline has entries that it did not have in this git `revision`")
	flags.StringVar(&o.baseline, "baseline", "", "the baseline's `file` (default "+ratchet.DefaultFile+" below the module's or workspace's root)")
	flags.StringVar(&o.format, "format", string(report.Text), "`format` of the report: "+report.Formats)
	flags.BoolVar(&o.verbose, "v", false, "print every use of a helper, and every chain")
	flags.BoolVar(&o.explain, "explain", false, "end with the pages of the rules that were broken")
}

func (c Command) run(ctx context.Context, settings *Settings, opts options, patterns []string, stdout, stderr io.Writer) (int, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return 0, fmt.Errorf("finding the working directory: %w", err)
	}
	format, err := report.ParseFormat(opts.format)
	if err != nil {
		return 0, err
	}
	progress := newProgress(stderr)
	judgement, err := settings.Judge(ctx, dir, patterns, progress.show)
	progress.clear()
	if err != nil {
		return 0, err
	}
	result, where, err := c.hold(ctx, opts, judgement, dir)
	if err != nil {
		return 0, err
	}
	for _, note := range judgement.Notes {
		fmt.Fprintf(stderr, "holdfast: note: %s\n", note)
	}
	for _, text := range describe(judgement.Problems) {
		fmt.Fprintf(stderr, "holdfast: could not judge %s\n", text)
	}
	if err := report.Write(stdout, format, result, where); err != nil {
		return 0, err
	}
	return result.Exit(), nil
}

// hold holds the judgement against the baseline, and the baseline against the base.
func (c Command) hold(ctx context.Context, opts options, judgement *Judgement, dir string) (*report.Report, report.Options, error) {
	where := report.Options{
		Dir:          dir,
		Root:         judgement.Root,
		BaselineFile: baselinePath(dir, judgement.Root, opts.baseline),
		Version:      c.Version,
		Verbose:      opts.verbose,
		Explain:      opts.explain,
		StepSummary:  os.Getenv("GITHUB_STEP_SUMMARY"),
	}
	if opts.format != string(report.Text) {
		if root, err := git.Root(ctx, judgement.Root); err == nil {
			where.Root = root
		}
	}
	entries, err := ratchet.Load(where.BaselineFile)
	if err != nil {
		return nil, where, err
	}
	ratchet.Identify(judgement.Findings)
	ratchet.Identify(judgement.Advice)
	match := ratchet.Match(entries, judgement.Findings, judgement.Scope())
	result := &report.Report{
		New:       match.New,
		Advice:    judgement.Advice,
		Accepted:  match.Accepted,
		Stale:     match.Stale,
		Baseline:  entries,
		Errors:    describe(judgement.Problems),
		Platforms: judgement.Platforms,
		Packages:  len(judgement.Packages),
		LeftOut:   judgement.LeftOut,
	}
	if opts.base == "" {
		return result, where, nil
	}
	base, err := ratchet.LoadBase(ctx, judgement.Root, opts.base, where.BaselineFile)
	if err != nil {
		return nil, where, err
	}
	result.Base = &report.Base{Revision: opts.base, Entries: len(base)}
	result.Grown = ratchet.Compare(base, entries).Grown
	if opts.format == string(report.GitHub) {
		where.Changed, err = report.ChangedLines(ctx, judgement.Root, opts.base)
	}
	return result, where, err
}
