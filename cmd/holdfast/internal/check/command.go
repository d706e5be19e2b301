package check

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/git"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/report"
)

const usage = `usage: holdfast check [flags] [packages]
       holdfast check -staged [flags] [files]

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
	staged   bool
	reports  []extraReport
}

// An extraReport goes to a file, besides the one on standard output.
type extraReport struct {
	format report.Format
	file   string
}

// An invocation is one use of the command.
type invocation struct {
	settings *Settings
	options  options
	flags    *flag.FlagSet
	args     []string // patterns, or files
}

// Run carries out the command and returns its exit code.
func (c Command) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	in, err := c.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		in.flags.SetOutput(stdout)
		in.flags.PrintDefaults()
		return report.ExitClean
	}
	code := report.ExitCouldNotJudge
	if err == nil {
		code, err = c.dispatch(ctx, in, args, stdout, stderr)
	}
	if err == nil {
		return code
	}
	if in.options.format == string(report.GitHub) {
		report.WriteGitHubError(stdout, err)
	}
	fmt.Fprintf(stderr, "holdfast: check: %v\n", err)
	return report.ExitCouldNotJudge
}

// parse reads the command line.
func (c Command) parse(args []string) (*invocation, error) {
	in := &invocation{settings: NewSettings(c.Suite), flags: flag.NewFlagSet("check", flag.ContinueOnError)}
	in.flags.SetOutput(io.Discard)
	in.settings.Register(in.flags)
	in.options.register(in.flags)
	var err error
	in.args, err = parseArgs(in.flags, args)
	return in, err
}

func (c Command) dispatch(ctx context.Context, in *invocation, args []string, stdout, stderr io.Writer) (int, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return 0, fmt.Errorf("finding the working directory: %w", err)
	}
	if in.options.staged {
		return c.runStaged(ctx, args, in.args, dir, stdout, stderr)
	}
	return c.run(ctx, in, dir, in.args, stdout, stderr)
}

func (o *options) register(flags *flag.FlagSet) {
	flags.StringVar(&o.base, "base", "", "fail if the baseline has entries that it did not have in this git `revision`")
	flags.StringVar(&o.baseline, "baseline", "", "the baseline's `file` (default "+ratchet.DefaultFile+" below the module's or workspace's root)")
	flags.StringVar(&o.format, "format", string(report.Text), "`format` of the report: "+report.Formats)
	flags.BoolVar(&o.verbose, "v", false, "print every use of a helper, and every chain")
	flags.BoolVar(&o.staged, "staged", false, "judge the packages of the files that git has staged, and of the files named as arguments")
	flags.Func("report", "write the report to a file as well, as `format=file`; may be repeated", o.addReport)
	flags.BoolVar(&o.explain, "explain", false, "end with the pages of the rules that were broken")
}

// addReport reads "sarif=holdfast.sarif".
func (o *options) addReport(value string) error {
	name, file, ok := strings.Cut(value, "=")
	if !ok || file == "" {
		return errors.New("want format=file, such as sarif=holdfast.sarif")
	}
	format, err := report.ParseFormat(name)
	o.reports = append(o.reports, extraReport{format, file})
	return err
}

// run judges packages, as seen from dir.
func (c Command) run(ctx context.Context, in *invocation, dir string, patterns []string, stdout, stderr io.Writer) (int, error) {
	format, err := report.ParseFormat(in.options.format)
	if err != nil {
		return 0, err
	}
	progress := newProgress(stderr)
	judgement, err := in.settings.Judge(ctx, dir, patterns, progress.show)
	progress.clear()
	if err != nil {
		return 0, err
	}
	result, where, err := c.hold(ctx, in.options, judgement)
	if err != nil {
		return 0, err
	}
	for _, note := range judgement.Notes {
		fmt.Fprintf(stderr, "holdfast: note: %s\n", note)
	}
	for _, text := range describe(judgement.Problems) {
		fmt.Fprintf(stderr, "holdfast: could not judge %s\n", text)
	}
	if err := writeReports(in.options.reports, result, where); err != nil {
		return 0, err
	}
	if err := report.Write(stdout, format, result, where); err != nil {
		return 0, err
	}
	return result.Exit(), nil
}

// writeReports writes the reports that go to files.
func writeReports(reports []extraReport, result *report.Report, where report.Options) error {
	for _, extra := range reports {
		var text bytes.Buffer
		options := where
		options.StepSummary = "" // one is enough
		if err := report.Write(&text, extra.format, result, options); err != nil {
			return err
		}
		name := extra.file
		if !filepath.IsAbs(name) {
			name = filepath.Join(where.Dir, name)
		}
		if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
			return fmt.Errorf("writing the report as %s: %w", extra.format, err)
		}
	}
	return nil
}

// hold holds the judgement against the baseline, and the baseline against the base.
func (c Command) hold(ctx context.Context, opts options, judgement *Judgement) (*report.Report, report.Options, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, report.Options{}, fmt.Errorf("finding the working directory: %w", err)
	}
	where := report.Options{
		Dir:          dir,
		Root:         judgement.Root,
		BaselineFile: baselinePath(dir, judgement.Root, opts.baseline),
		Version:      c.Version,
		Verbose:      opts.verbose,
		Explain:      opts.explain,
		StepSummary:  os.Getenv("GITHUB_STEP_SUMMARY"),
	}
	if opts.format != string(report.Text) || len(opts.reports) > 0 {
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
