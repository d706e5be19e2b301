package initcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

func (o options) check() error {
	switch {
	case !o.baseline && o.reason != "":
		return errors.New("-reason is for -baseline")
	case !o.baseline:
		return nil
	}
	if err := rules.CheckReason(o.reason); err != nil {
		return fmt.Errorf("the baseline %w (-reason \"…\")", err)
	}
	return nil
}

// proposeBaseline accepts what is found today. A baseline that has entries
// already only shrinks.
func (c Command) proposeBaseline(ctx context.Context, p *project, reason string) (proposal, error) {
	path := filepath.Join(p.root, filepath.FromSlash(ratchet.DefaultFile))
	entries, err := ratchet.Load(path)
	if err != nil {
		return proposal{}, err
	}
	if len(entries) > 0 {
		return proposal{file: path, note: "left alone, as it has entries: accept single findings with holdfast baseline add"}, nil
	}
	judged, err := c.Judge(ctx, p.root, nil)
	if err != nil {
		return proposal{}, fmt.Errorf("nothing was written: %w", err)
	}
	ratchet.Identify(judged.Findings)
	for _, f := range judged.Findings {
		entry, err := ratchet.NewEntry(ratchet.KeyOf(f), reason)
		if err != nil {
			return proposal{}, fmt.Errorf("accepting %s:%d: %w", p.show(f.File), f.Line, err)
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return proposal{file: path, note: "needs no entry: nothing was found"}, nil
	}
	before, err := read(path)
	if err != nil {
		return proposal{}, fmt.Errorf("reading the baseline: %w", err)
	}
	return proposal{file: path, before: before, after: ratchet.Format(entries)}, nil
}
