// Package ps prints who started what: holdfast ps.
package ps

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/holdfast-go/holdfast/runtime/ledger"
)

const usage = `usage: holdfast ps [-all] [-json] [-ledger DIR]

Prints the owners that the ledger knows, and below each the processes that it
started: those that die with it, and those that are kept, with the reason. Of an
owner that is gone it prints what it has left behind.

exit codes: 0; 2 if the ledger could not be read
`

const exitTrouble = 2

// Run runs "holdfast ps" and returns its exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("ps", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	all := flags.Bool("all", false, "also print owners that are gone and left nothing behind, and children that have ended without their owner noting it")
	asJSON := flags.Bool("json", false, "print JSON")
	dir := flags.String("ledger", "", "the `directory` of the ledger (default $"+ledger.DirVariable+" or that of the user)")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage+"\nflags:\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: ps: %v\n\n%s", err, usage)
		return exitTrouble
	}
	records, err := ledger.Read(*dir)
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: ps: %v\n", err)
		return exitTrouble
	}
	return show(ownersOf(records, *all), *asJSON, stdout, stderr)
}

func show(owners []Owner, asJSON bool, stdout, stderr io.Writer) int {
	write := writeTree
	if asJSON {
		write = writeJSON
	}
	if err := write(stdout, owners); err != nil {
		fmt.Fprintf(stderr, "holdfast: ps: writing: %v\n", err)
		return exitTrouble
	}
	return 0
}

func writeJSON(w io.Writer, owners []Owner) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Owners []Owner `json:"owners"`
	}{owners})
}
