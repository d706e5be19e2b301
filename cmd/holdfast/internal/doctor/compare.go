package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/owned"
)

// compare reports on what became of what ran before. It gives that some time
// to end: whoever ends something politely waits for it too.
func (d *doctor) compare(ctx context.Context, before machine.Snapshot) (int, error) {
	d.pointOut("before", before.Blind)
	report, err := d.settle(ctx, before)
	if err != nil {
		return exitTrouble, err
	}
	write := writeText
	if d.asJSON {
		write = writeJSON
	}
	if err := write(d.stdout, report, d.all); err != nil {
		return exitTrouble, fmt.Errorf("writing: %w", err)
	}
	if len(report.Left) > 0 {
		return exitLeft, nil
	}
	return exitNothing, nil
}

// pollEvery is how often settle looks. A look costs some 150 µs a process.
const pollEvery = 250 * time.Millisecond

// settle looks until nothing is left behind or the wait is over.
func (d *doctor) settle(ctx context.Context, before machine.Snapshot) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	for {
		report, err := d.look(before)
		if err != nil || len(report.Left) == 0 {
			return report, err
		}
		select {
		case <-ctx.Done():
			return report, nil
		case <-time.After(pollEvery):
		}
	}
}

func (d *doctor) look(before machine.Snapshot) (Report, error) {
	after, err := machine.Take()
	if err != nil {
		return Report{}, err
	}
	// A ledger that cannot be read proves nothing, and what lost its parent is
	// found without it.
	orphans, err := owned.Orphans(context.Background(), d.ledger)
	if err != nil {
		after.Blind = append(after.Blind, err.Error())
	}
	return Compare(before, after, orphans, os.Getpid()), nil
}

func (d *doctor) pointOut(when string, blind []string) {
	for _, what := range blind {
		fmt.Fprintf(d.stderr, "holdfast: doctor: not seen %s: %s\n", when, what)
	}
}

func writeJSON(w io.Writer, report Report, _ bool) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
