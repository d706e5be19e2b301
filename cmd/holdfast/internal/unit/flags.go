package unit

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// SaltFlag is the name of a flag that changes nothing but the key under which
// the go command caches a unit's results.
const SaltFlag = "holdfast.roots"

// AdviceFlag is the name of a flag that makes advice a part of the JSON.
//
// Otherwise it goes to standard error: the go command (1.26) asks for JSON even
// if its user did not, and fails for every diagnostic in it. What stands on
// standard error it shows when a unit is analysed, and not again from its cache.
const AdviceFlag = "advice"

// flagValues is what one command line asks for.
type flagValues struct {
	set *flag.FlagSet

	version  string // -V=full
	describe bool   // -flags
	json     bool   // -json
	advice   bool   // -advice: with -json, advice is part of the JSON
	context  int    // -c=N: show N lines around a finding; negative for none
	fix      bool   // -fix
	diff     bool   // -diff
	with     string // -with=vet,staticcheck

	configFile string
	enabled    []Rule
}

// parseFlags reads the command line. Every analyzer has a flag -NAME that
// selects it, and its own flags as -NAME.FLAG.
func parseFlags(args []string, rules []Rule, stderr io.Writer) (*flagValues, error) {
	f := &flagValues{set: flag.NewFlagSet(programName(), flag.ContinueOnError)}
	f.set.SetOutput(stderr)
	f.set.StringVar(&f.version, "V", "", "print the version; only -V=full is supported")
	f.set.BoolVar(&f.describe, "flags", false, "print the flags as JSON")
	f.set.BoolVar(&f.json, "json", false, "print findings and fixes as JSON")
	f.set.BoolVar(&f.advice, AdviceFlag, false, "with -json, print advice as JSON too, which fails go vet")
	f.set.IntVar(&f.context, "c", -1, "show each finding with this many lines around it")
	f.set.BoolVar(&f.fix, "fix", false, "apply the first fix of each finding")
	f.set.BoolVar(&f.diff, "diff", false, "with -fix, print the changes instead of making them")
	f.set.StringVar(&f.with, "with", "", "comma-separated sets of analyzers to add: "+strings.Join(setNames(rules), ", "))
	f.set.String(SaltFlag, "", "no effect, except on the go command's cache")

	choices := make(map[*analysis.Analyzer]*choice)
	for _, rule := range rules {
		choices[rule.Analyzer] = f.addAnalyzer(rule)
	}
	if err := f.set.Parse(args); err != nil {
		return nil, err
	}
	if err := f.takeConfigFile(); err != nil {
		return nil, err
	}
	with, err := parseWith(f.with, rules)
	if err != nil {
		return nil, err
	}
	f.enabled = enabledRules(rules, with, choices)
	return f, nil
}

func (f *flagValues) addAnalyzer(rule Rule) *choice {
	a, enable := rule.Analyzer, new(choice)
	f.set.Var(enable, a.Name, setPrefix(rule.Set)+"run only the analyzers named so; false leaves this one out")
	a.Flags.VisitAll(func(own *flag.Flag) {
		f.set.Var(own.Value, a.Name+"."+own.Name, own.Usage)
	})
	return enable
}

func (f *flagValues) takeConfigFile() error {
	switch rest := f.set.Args(); {
	case len(rest) == 0:
		return nil
	case len(rest) > 1 || !strings.HasSuffix(rest[0], ".cfg"):
		return fmt.Errorf("want one .cfg file, got %q", rest)
	default:
		f.configFile = rest[0]
		return nil
	}
}

// parseWith splits the value of -with and rejects sets that this program lacks.
func parseWith(value string, rules []Rule) ([]string, error) {
	if value == "" {
		return nil, nil
	}
	known := setNames(rules)
	if known == nil {
		return nil, fmt.Errorf("-with=%s: this program has no further analyzers; the vet tool holdfast-suite has", value)
	}
	names := strings.Split(value, ",")
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("-with=%s: this program has no set %q (it has: %s)",
				value, name, strings.Join(known, ", "))
		}
	}
	return names, nil
}

func setNames(rules []Rule) []string {
	var names []string
	for _, rule := range rules {
		if rule.Set != "" && !slices.Contains(names, rule.Set) {
			names = append(names, rule.Set)
		}
	}
	return names
}

// enabledRules selects as go vet does: if any -NAME is true, only those;
// otherwise all but those that are false.
func enabledRules(rules []Rule, with []string, choices map[*analysis.Analyzer]*choice) []Rule {
	var named, others []Rule
	for _, rule := range rules {
		switch *choices[rule.Analyzer] {
		case chosen:
			named = append(named, rule)
		case unset:
			if rule.Set == "" || slices.Contains(with, rule.Set) {
				others = append(others, rule)
			}
		}
	}
	if named != nil {
		return named
	}
	return others
}

// setPrefix starts the usage of the flag that selects an analyzer of a set.
func setPrefix(set string) string {
	if set == "" {
		return ""
	}
	return "(-with " + set + ") "
}

// SetMembers asks a vet tool for the names of the analyzers in the given sets.
func SetMembers(ctx context.Context, tool string, sets []string) ([]string, error) {
	out, err := exec.CommandContext(ctx, tool, "-flags").Output()
	if err != nil {
		return nil, fmt.Errorf("asking %s for its flags: %w", tool, err)
	}
	var list []description
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("asking %s for its flags: %w", tool, err)
	}
	var names []string
	for _, flag := range list {
		if slices.ContainsFunc(sets, func(set string) bool { return strings.HasPrefix(flag.Usage, setPrefix(set)) }) {
			names = append(names, flag.Name)
		}
	}
	return names, nil
}

// A description is one flag in the answer to -flags.
type description struct {
	Name  string
	Bool  bool
	Usage string
}

// printJSON answers -flags.
func (f *flagValues) printJSON(stdout io.Writer) error {
	var list []description
	f.set.VisitAll(func(fl *flag.Flag) {
		if fl.Name == "fix" { // the go command has its own
			return
		}
		b, ok := fl.Value.(interface{ IsBoolFlag() bool })
		list = append(list, description{fl.Name, ok && b.IsBoolFlag(), fl.Usage})
	})
	data, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return fmt.Errorf("describing the flags: %w", err)
	}
	_, err = stdout.Write(append(data, '\n'))
	return err
}

// A choice is a boolean flag that knows whether it was given.
type choice int

const (
	unset choice = iota
	chosen
	left
)

func (c *choice) IsBoolFlag() bool { return true }

func (c *choice) String() string { return strconv.FormatBool(c == nil || *c != left) }

func (c *choice) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	*c = left
	if on {
		*c = chosen
	}
	return nil
}
