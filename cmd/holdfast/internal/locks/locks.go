// Package locks prints who holds a SQLite database's lock: holdfast locks FILE.
package locks

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/holdfast-go/holdfast/runtime/lockowner"
)

const usage = `usage: holdfast locks [-json] FILE

Prints which processes hold a write-class lock on the SQLite database FILE, on
its -wal or on its -shm file, in SQLite's words. The files are never opened.

On Linux the kernel says who holds a lock. Elsewhere it does not, and the
processes that have the files open are printed as candidates.

exit codes: 0 nobody holds a lock; 1 somebody does, or may; 2 could not tell
`

const (
	exitFree    = 0
	exitHeld    = 1
	exitTrouble = 2
)

// Run runs "holdfast locks" and returns its exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("locks", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "print JSON")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage+"\nflags:\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return exitFree
	case err == nil && flags.NArg() != 1:
		err = fmt.Errorf("want one database, got %d", flags.NArg())
	}
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: locks: %v\n\n%s", err, usage)
		return exitTrouble
	}
	report, err := lockowner.Find(ctx, flags.Arg(0))
	if err != nil {
		fmt.Fprintf(stderr, "holdfast: locks: %v\n", err)
		return exitTrouble
	}
	write := writeTable
	if *asJSON {
		write = writeJSON
	}
	if err := write(stdout, report); err != nil {
		fmt.Fprintf(stderr, "holdfast: locks: writing the report: %v\n", err)
		return exitTrouble
	}
	return exitCode(report)
}

func exitCode(report lockowner.Report) int {
	switch {
	case len(report.Holders) > 0:
		return exitHeld
	case report.OnlyCandidates:
		return exitTrouble // Nobody known is not nobody.
	}
	return exitFree
}

func writeTable(w io.Writer, report lockowner.Report) error {
	if len(report.Holders) == 0 {
		_, err := fmt.Fprintf(w, "%s: %v\n", report.Database, report)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "PID\tHOLDS\tFILE\tCOMMAND")
	for _, holder := range report.Holders {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", pid(holder), holds(holder), holder.File, holder.Command)
	}
	return table.Flush()
}

func pid(holder lockowner.Holder) string {
	if holder.PID == 0 {
		return "?" // An OFD lock has no PID.
	}
	return strconv.Itoa(holder.PID)
}

func holds(holder lockowner.Holder) string {
	locks := strings.Join(holder.Locks, ", ")
	switch {
	case holder.Candidate && locks == "":
		return "candidate: has it open"
	case holder.Candidate:
		return "candidate: " + locks
	case holder.PID == 0:
		return locks + " (OFD lock: the kernel exports no pid)"
	}
	return locks
}

// A jsonHolder is a holder as "holdfast locks -json" prints it.
type jsonHolder struct {
	PID       int      `json:"pid,omitempty"` // absent for an OFD lock
	Candidate bool     `json:"candidate"`
	Locks     []string `json:"locks"`
	File      string   `json:"file"`
	Start     int64    `json:"start"`
	End       int64    `json:"end"`
	Command   string   `json:"command,omitempty"`
}

func writeJSON(w io.Writer, report lockowner.Report) error {
	document := struct {
		Database       string       `json:"database"`
		OnlyCandidates bool         `json:"only_candidates"`
		Holders        []jsonHolder `json:"holders"`
	}{report.Database, report.OnlyCandidates, []jsonHolder{}}
	for _, h := range report.Holders {
		document.Holders = append(document.Holders, jsonHolder{
			PID: h.PID, Candidate: h.Candidate, Locks: append([]string{}, h.Locks...), File: h.File, Start: h.Start, End: h.End, Command: h.Command,
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
