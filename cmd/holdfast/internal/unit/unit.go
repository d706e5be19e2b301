// Package unit is the half of holdfast that the go command runs as a vet tool:
// it analyses one package at a time ("unit"), as a vet.cfg file describes it.
//
//	holdfast -V=full         identifies the tool, for the go command's cache
//	holdfast -flags          lists the flags that go vet may pass on
//	holdfast [flags] x.cfg   analyses one unit
//
// It speaks the protocol of golang.org/x/tools/go/analysis/unitchecker, and
// differs from it in what a unit costs and in what the cache can lose:
//
//   - Types come from the compiler's export data, so the standard library, and
//     every package that cannot matter (see [Rule].Relevant), is passed over
//     without being type-checked. A facts file holds nothing but facts, and is
//     empty for most packages.
//   - A package of the main module is analysed and printed for real even where
//     the go command asks for facts only, because go 1.26 shares the cached
//     output of both kinds of run.
//   - A clean package prints {"ID": {}}, so that a caller can tell "nothing
//     found" from "output lost".
//   - An analyzer that fails or panics fails the unit, which keeps the result
//     out of the cache.
package unit

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Rule is one analyzer of the suite together with what this package may
// know about it beforehand.
type Rule struct {
	Analyzer *analysis.Analyzer

	// Relevant reports whether the analyzer could have anything to say about a
	// package, or any fact to export for it. It must be cheap: no type is known
	// yet. A package that matters to no enabled rule is passed over.
	// Nil means that every package matters.
	Relevant func(*Source) bool

	// Tests reports whether the analyzer wants _test.go files. It is asked after
	// flags are parsed. Nil means yes.
	Tests func() bool

	// Standard says that the analyzer's facts about the standard library are
	// wanted. Otherwise the library is opaque.
	Standard bool

	// Set is the name by which -with adds the rule; empty means always on.
	Set string

	// Category is what the analyzer's diagnostics have as theirs; empty means
	// that its name stands for it.
	Category string

	// Advice are the categories of diagnostics that are no findings: they never
	// fail a build.
	Advice []string
}

// A Tool is a vet tool.
type Tool struct {
	Rules []Rule

	// Companion is the path of another program that takes part in what this one
	// does, so that the go command's cache must know it; empty for none.
	Companion string
}

// IsInvocation reports whether the arguments (without the program's name) are
// those with which the go command runs a vet tool.
func IsInvocation(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return strings.HasSuffix(last, ".cfg") || strings.HasPrefix(args[0], "-V") ||
		args[0] == "-flags" || args[0] == "--flags"
}

// Main carries out one invocation and returns the exit code: 0 if the unit was
// analysed, 1 if that failed (or, without -json and -fix, if anything was found
// that is not mere advice).
func (t Tool) Main(args []string, stdout, stderr io.Writer) int {
	code, err := t.invoke(args, stdout, stderr)
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		return 0
	case isSourceError(err):
		// The message starts with the position, as a compiler's does,
		// so that the go command can shorten the path.
		fmt.Fprintln(stderr, err)
	default:
		fmt.Fprintf(stderr, "%s: %v\n", programName(), err)
	}
	return 1
}

func (t Tool) invoke(args []string, stdout, stderr io.Writer) (int, error) {
	flags, err := parseFlags(args, t.Rules, stderr)
	if err != nil {
		return 1, err
	}
	switch {
	case flags.version != "":
		return 0, printVersion(stdout, flags.version, t.Companion)
	case flags.describe:
		return 0, flags.printJSON(stdout)
	case flags.configFile == "":
		return 1, errors.New(`run me as "go vet -vettool=PROGRAM", or give me one .cfg file`)
	}
	cfg, err := readConfig(flags.configFile)
	if err != nil {
		return 1, err
	}
	return analyse(cfg, flags, stdout, stderr)
}

// analyse takes the cheapest way that is right for the unit.
func analyse(cfg *config, flags *flagValues, stdout, stderr io.Writer) (int, error) {
	rules := flags.enabled
	if cfg.isStandard() {
		if rules = standardRules(rules); len(rules) == 0 {
			return 0, cfg.writeFacts(nil)
		}
	}
	if !wantTests(rules) {
		cfg.dropTests()
	}
	report := !cfg.VetxOnly || cfg.isPromoted()

	facts, err := readDependencyFacts(cfg)
	if err != nil {
		return 1, err
	}
	if !report {
		rules = factRules(rules)
	}
	if !matters(cfg, facts, rules) {
		// The compiler has seen every package that others import.
		if !cfg.VetxOnly {
			if err := compiles(cfg); err != nil {
				return 1, err
			}
		}
		return 0, pass(cfg, facts, report, flags, stdout)
	}
	result, err := check(cfg, facts, rules)
	if err != nil {
		return 1, err
	}
	if err := cfg.writeFacts(result.facts); err != nil {
		return 1, err
	}
	if !report {
		return 0, nil
	}
	return result.emit(cfg, flags, stdout, stderr)
}

// pass ends a unit that was not analysed: what is known about its dependencies
// goes on to its importers, and the package counts as clean.
func pass(cfg *config, facts *factFiles, report bool, flags *flagValues, stdout io.Writer) error {
	if err := cfg.writeFacts(facts.encode()); err != nil {
		return err
	}
	if !report || !flags.json {
		return nil
	}
	return cfg.writeOutput(stdout, emptyTree(cfg.ID))
}

// standardRules returns the rules that want facts about the standard library.
func standardRules(rules []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(rule Rule) bool { return !rule.Standard })
}

// factRules returns the rules whose analyzers have facts, or require one that has.
func factRules(rules []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(rule Rule) bool {
		return len(factTypes([]*analysis.Analyzer{rule.Analyzer})) == 0
	})
}

func wantTests(rules []Rule) bool {
	for _, rule := range rules {
		if rule.Tests == nil || rule.Tests() {
			return true
		}
	}
	return false
}

// isSourceError reports whether the error is about the source text and
// carries its position.
func isSourceError(err error) bool {
	var sourceErr *sourceError
	return errors.As(err, &sourceErr)
}

func programName() string {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}
